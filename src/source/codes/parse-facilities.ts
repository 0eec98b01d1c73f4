/** The facilities of a service's answer. */
import * as z from "zod/mini";
import { type Json, LosslessNumber } from "../../base/json.ts";
import type { Facility } from "../../codes/facility.ts";

/** Of another type, it is as if it were missing. */
const missing = z.pipe(
  z.unknown(),
  z.transform(() => undefined),
);
const text = z.union([z.optional(z.string()), missing]);
const digits = z.union([
  z.optional(
    z.pipe(
      z.instanceof(LosslessNumber),
      z.transform(({ value }) => value),
    ),
  ),
  missing,
]);
const list = z.union([z.optional(z.array(z.unknown())), missing]);
const unit = z.object({
  code: z.string(),
  fueltech_id: text,
  status_id: text,
  capacity_registered: digits,
  capacity_maximum: digits,
  data_first_seen: text,
  data_last_seen: text,
  dispatch_type: text,
});
const facility = z.object({
  code: z.string(),
  name: text,
  network_id: z.string(),
  network_region: text,
  units: list,
});
const answer = z.object({ data: z.array(z.unknown()) });

/** What has no code or network is left out. Undefined: it is no such list. */
export function parseFacilities(json: Json): Facility[] | undefined {
  const checked = answer.safeParse(json);
  if (!checked.success) return undefined;
  return checked.data.data.flatMap((item) => {
    const { data } = facility.safeParse(item);
    if (!data) return [];
    const { code, name = code, network_id: network, network_region: region, units = [] } = data;
    return [{ code, name, network, region, units: units.flatMap(parseUnit) }];
  });
}

function parseUnit(item: unknown): Facility["units"] {
  const { data } = unit.safeParse(item);
  if (!data) return [];
  return [
    {
      code: data.code,
      fueltech: data.fueltech_id,
      status: data.status_id,
      capacity: data.capacity_registered ?? data.capacity_maximum,
      firstData: data.data_first_seen,
      lastData: data.data_last_seen,
      isLoad: data.dispatch_type === "LOAD" || data.fueltech_id === "battery_charging" || data.fueltech_id === "pumps",
    },
  ];
}
