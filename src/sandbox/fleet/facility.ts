import type { Fueltech } from "../../base/fueltechs.ts";

export type UnitStatus = "operating" | "commissioning" | "committed" | "retired";

/** A unit of the fleet; dates are days of network time, both inclusive. */
export interface FleetUnit {
  readonly code: string;
  readonly fueltech: Fueltech;
  readonly megawatts: number;
  readonly status: UnitStatus;
  /** First day with data; default: that of its region. */
  readonly from?: string;
  /** Last day with data. */
  readonly to?: string;
  /** First and last day of an outage, whose values are null. */
  readonly outage?: readonly [string, string];
  /** MWh; batteries only. */
  readonly storage?: number;
}

export interface FleetFacility {
  readonly code: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly units: readonly FleetUnit[];
}

interface Life {
  readonly status?: UnitStatus;
  readonly from?: string;
  readonly to?: string;
  readonly outage?: readonly [string, string];
}

/** `place` is latitude and longitude, in degrees. */
export function facility(title: string, place: readonly [number, number], ...units: readonly (readonly FleetUnit[])[]): FleetFacility {
  const [code = "", ...words] = title.split(" ");
  return { code, name: words.join(" "), latitude: place[0], longitude: place[1], units: units.flat() };
}

/** Units of one kind; `codes` are separated by spaces, megawatts are per unit. */
export function units(codes: string, kind: readonly [Fueltech, number], life: Life = {}): FleetUnit[] {
  const [fueltech, megawatts] = kind;
  const status = life.status ?? (life.to === undefined ? "operating" : "retired");
  return codes.split(" ").map((code) => ({ ...life, code, fueltech, megawatts, status }));
}

/** The three units of a battery: its net, load (`L`) and generation (`G`). */
export function battery(stem: string, size: { readonly megawatts: number; readonly storage: number }, life: Life = {}): FleetUnit[] {
  const { megawatts, storage } = size;
  return [
    ...units(`${stem}1`, ["battery", megawatts], life),
    ...units(`${stem}L1`, ["battery_charging", megawatts], life),
    ...units(`${stem}G1`, ["battery_discharging", megawatts], life),
  ].map((unit) => ({ ...unit, storage }));
}
