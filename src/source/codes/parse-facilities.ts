/** The facilities of a service's answer. */
import * as z from "zod/mini";
import { EntsError } from "../../base/errors.ts";
import { isLosslessNumber, type Json, LosslessNumber } from "../../base/json.ts";
import { cutText } from "../../base/shown-text.ts";
import type { Facility } from "../../codes/facility.ts";
import { openEnvelope } from "../../decode/envelope.ts";

/** Of another type, it is as if it were missing. */
const missing = z.pipe(
  z.unknown(),
  z.transform(() => undefined),
);
const text = z.union([z.optional(z.string()), missing]);
const digits = z.union([
  z.optional(z.string().check(z.regex(/^\d+(\.\d+)?$/))),
  z.optional(
    z.pipe(
      z.instanceof(LosslessNumber),
      z.transform(({ value }) => value),
    ),
  ),
  missing,
]);
/** A number is another spelling of it. */
const codeText = z.union([
  z.string(),
  z.pipe(
    z.instanceof(LosslessNumber),
    z.transform(({ value }) => value),
  ),
]);
const list = z.union([z.optional(z.array(z.unknown())), missing]);
const unit = z.object({
  code: codeText,
  fueltech_id: text,
  status_id: text,
  capacity_registered: digits,
  capacity_maximum: digits,
  data_first_seen: text,
  data_last_seen: text,
  dispatch_type: text,
});
const facility = z.object({
  code: codeText,
  name: text,
  network_id: z.string(),
  network_region: text,
  units: list,
});

/**
 * What has no code or network is left out.
 * @throws {EntsError} refused: `success` is false, it is no such list, or it is a part of one.
 */
export function parseFacilities(json: Json): Facility[] {
  const { envelope, data } = openEnvelope(json);
  const facilities = data.flatMap(parseFacility);
  if (facilities.length === 0 && data.length > 0)
    throw new EntsError("refused", "no entry of the list of facilities has a code and a network");
  const { total_records: total } = envelope;
  if (isLosslessNumber(total) && Number(total.value) > data.length)
    throw new EntsError(
      "refused",
      `the list of facilities is incomplete: total_records is ${cutText(total.value)}, but ${data.length} came`,
    );
  return facilities;
}

function parseFacility(item: unknown): Facility[] {
  const { data } = facility.safeParse(item);
  if (!data) return [];
  const { code, name = code, network_id: network, network_region: region, units = [] } = data;
  return [{ code, name, network, region, units: units.flatMap(parseUnit) }];
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
