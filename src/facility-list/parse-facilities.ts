/** Parses the list of facilities in a response. */
import { BATTERY } from "../base/fueltechs.ts";
import { EntsError } from "../base/errors.ts";
import { isLosslessNumber, isObject, type Json, parseJson } from "../base/json.ts";
import type { Context } from "../base/context.ts";
import { shortenText } from "../base/shown-text.ts";
import { findNetwork, NETWORKS } from "../base/vocabulary.ts";
import type { Facility, Unit } from "../facilities/facility.ts";
import { openEnvelope } from "../decode/envelope.ts";
import { formatOffset } from "../time/local-time.ts";
import type { CodeList } from "./stored-codes.ts";

export const FACILITIES_PATH = "/v4/facilities/";

/**
 * Omits entries without a code or a network, and ignores fields of an unexpected type.
 * @throws {EntsError} refused: `success` is false, or it is not a list of facilities, or an incomplete one.
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

/** The facilities that the sandbox would return, without starting it. */
export async function listSandbox({ now }: Pick<Context, "now">): Promise<CodeList> {
  const { listFacilities } = await import("../sandbox/http/listing.ts");
  const decoded = parseJson(JSON.stringify(listFacilities(new URLSearchParams(), now())));
  return { receivedAt: now(), facilities: parseFacilities(decoded) };
}

function parseFacility(item: Json): Facility[] {
  if (!isObject(item)) return [];
  const [code, network] = [readCode(item["code"]), asText(item["network_id"])];
  if (code === undefined || network === undefined) return [];
  const name = asText(item["name"]) ?? code;
  const units = Array.isArray(item["units"]) ? (item["units"] as readonly Json[]) : [];
  const region = asText(item["network_region"]);
  const location = isObject(item["location"]) ? item["location"] : {};
  const place = { latitude: location["lat"], longitude: location["lng"] };
  return [{ code, name, network, region, units: units.flatMap((unit) => parseUnit(unit, { network, place })) }];
}

interface UnitPlace {
  readonly network: string;
  readonly place: Readonly<Record<"latitude" | "longitude", Json | undefined>>;
}

function parseUnit(item: Json, { network, place }: UnitPlace): Facility["units"] {
  if (!isObject(item)) return [];
  const [code, fueltech] = [readCode(item["code"]), asText(item["fueltech_id"])];
  if (code === undefined) return [];
  return [
    {
      code,
      fueltech,
      status: asText(item["status_id"]),
      capacity: readDigits(item["capacity_registered"]) ?? readDigits(item["capacity_maximum"]),
      capacityMaximum: readDigits(item["capacity_maximum"]),
      storage: readDigits(item["capacity_storage"]),
      firstData: toNetworkTime(asText(item["data_first_seen"]), network),
      lastData: toNetworkTime(asText(item["data_last_seen"]), network),
      facts: parseFacts({
        ...place,
        emissions_factor: item["emissions_factor_co2"],
        commenced: item["commencement_date"],
        closed: item["closure_date"],
        expected_closure: item["expected_closure_date"],
        max_generation: item["max_generation"],
      }),
      isLoad: item["dispatch_type"] === "LOAD" || fueltech === BATTERY.charging || fueltech === "pumps",
    },
  ];
}

/** Numbers with their digits, and the days of dates. */
function parseFacts(sent: Readonly<Record<string, Json | undefined>>): Unit["facts"] {
  const texts = Object.entries(sent).map(([name, value]) => {
    const text = isLosslessNumber(value) ? value.value : asText(value);
    return [name, /^(?:-?\d+(?:\.\d+)?(?=$)|\d{4}-\d\d-\d\d)/.exec(text ?? "")?.[0]] as const;
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

function asText(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A code may also be a number. */
function readCode(value: Json | undefined): string | undefined {
  return isLosslessNumber(value) ? value.value : asText(value);
}

/** The digits of a number, or of a string that is one. */
function readDigits(value: Json | undefined): string | undefined {
  return isLosslessNumber(value) ? value.value : /^\d+(\.\d+)?$/.exec(asText(value) ?? "")?.[0];
}

const OFFSETS: ReadonlySet<string> = new Set(
  Object.values(NETWORKS).map(({ offsetMinutes }) => formatOffset(offsetMinutes)),
);

/**
 * Corrects the offset of a timestamp. The public service writes network time, but after a facility of another network
 * with the offset of that network (4.5.11: `2025-07-21T07:55:00+10:00` in the WEM is 07:55 there). Other offsets are
 * not changed.
 */
function toNetworkTime(timestamp: string | undefined, network: string): string | undefined {
  const [, wallClock, offset] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)([+-]\d\d:\d\d)?$/.exec(timestamp ?? "") ?? [];
  const known = findNetwork(network);
  if (wallClock === undefined || known === undefined || (offset !== undefined && !OFFSETS.has(offset)))
    return timestamp;
  return wallClock + formatOffset(known.offsetMinutes);
}
