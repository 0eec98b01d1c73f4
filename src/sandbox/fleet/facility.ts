import type { Fueltech } from "../../base/fueltechs.ts";
import type { STATUSES } from "../../base/vocabulary.ts";

/** A unit of the fleet. Dates are days of network time; first and last days are inclusive. */
export interface FleetUnit {
  readonly code: string;
  readonly fueltech: Fueltech;
  readonly megawatts: number;
  readonly status: (typeof STATUSES)[number];
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
  /** Degrees. */
  readonly location: { readonly lat: number; readonly lng: number };
  readonly units: readonly FleetUnit[];
}

type Life = Partial<Pick<FleetUnit, "status" | "from" | "to" | "outage">>;

/** `title`: the code, then the name. */
export function facility(
  title: string,
  [lat, lng]: readonly [number, number],
  ...groups: readonly FleetUnit[][]
): FleetFacility {
  const [code = "", ...words] = title.split(" ");
  return { code, name: words.join(" "), location: { lat, lng }, units: groups.flat() };
}

/** Units of one kind; `codes` are separated by spaces, megawatts are per unit. */
export function units(codes: string, [fueltech, megawatts]: readonly [Fueltech, number], life: Life = {}): FleetUnit[] {
  const status = life.status ?? (life.to === undefined ? "operating" : "retired");
  return codes.split(" ").map((code) => ({ ...life, code, fueltech, megawatts, status }));
}

/** The three units of a battery: its net, load (`L`) and generation (`G`). */
export function battery(
  stem: string,
  { megawatts, storage }: { megawatts: number; storage: number },
  life?: Life,
): FleetUnit[] {
  return [
    ...units(`${stem}1`, ["battery", megawatts], life),
    ...units(`${stem}L1`, ["battery_charging", megawatts], life),
    ...units(`${stem}G1`, ["battery_discharging", megawatts], life),
  ].map((unit) => ({ ...unit, storage }));
}
