/** The facilities of a service's answer. */
import * as z from "zod/mini";
import { EntsError } from "../base/errors.ts";
import { isLosslessNumber, type Json, LosslessNumber } from "../base/json.ts";
import { shortenText } from "../base/shown-text.ts";
import { findNetwork, NETWORKS } from "../base/vocabulary.ts";
import type { Facility } from "../codes/facility.ts";
import { openEnvelope } from "../decode/envelope.ts";
import { formatOffset } from "../time/local-time.ts";

/** A field of another type is as if it were missing. */
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
  capacity_storage: digits,
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
      `the list of facilities is incomplete: total_records is ${shortenText(total.value)}, but ${data.length} came`,
    );
  return facilities;
}

function parseFacility(item: unknown): Facility[] {
  const { data } = facility.safeParse(item);
  if (!data) return [];
  const { code, name = code, network_id: network, network_region: region, units = [] } = data;
  return [{ code, name, network, region, units: units.flatMap((one) => parseUnit(one, network)) }];
}

function parseUnit(item: unknown, network: string): Facility["units"] {
  const { data } = unit.safeParse(item);
  if (!data) return [];
  return [
    {
      code: data.code,
      fueltech: data.fueltech_id,
      status: data.status_id,
      capacity: data.capacity_registered ?? data.capacity_maximum,
      storage: data.capacity_storage,
      firstData: toNetworkTime(data.data_first_seen, network),
      lastData: toNetworkTime(data.data_last_seen, network),
      isLoad: data.dispatch_type === "LOAD" || data.fueltech_id === "battery_charging" || data.fueltech_id === "pumps",
    },
  ];
}

const OFFSETS: ReadonlySet<string> = new Set(Object.values(NETWORKS).map(({ offsetMinutes }) => formatOffset(offsetMinutes)));

/**
 * The public service writes network time, but after a facility of another network with the offset of that one (4.5.11:
 * `2025-07-21T07:55:00+10:00` of the WEM is 07:55 there). An offset that no known network has is left as it is.
 */
function toNetworkTime(stamp: string | undefined, network: string): string | undefined {
  const [, wallClock, offset] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)([+-]\d\d:\d\d)?$/.exec(stamp ?? "") ?? [];
  const known = findNetwork(network);
  if (wallClock === undefined || known === undefined || (offset !== undefined && !OFFSETS.has(offset))) return stamp;
  return wallClock + formatOffset(known.offsetMinutes);
}
