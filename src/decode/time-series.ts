import * as z from "zod/mini";
import { EntsError } from "../base/errors.ts";
import { describeJson, isLosslessNumber, type Json, type JsonObject, LosslessNumber, toJsonText } from "../base/json.ts";
import { sortPoints } from "../series/point-operations.ts";
import type { Points } from "../series/points.ts";
import { parseStamp } from "../time/stamp.ts";
import { englishMessages, shortMessage } from "../base/zod-messages.ts";
import type { Series, TimeSeries } from "../series/time-series.ts";

const labelSchema = z.union([z.string(), z.boolean(), z.instanceof(LosslessNumber), z.null()]);

const itemSchema = z.looseObject({
  network_code: z.string(),
  metric: z.string(),
  unit: z.nullish(z.string()),
  network_timezone_offset: z.nullish(z.string()),
  results: z.array(z.looseObject({ columns: z.nullish(z.record(z.string(), labelSchema)), data: z.unknown() })),
});

/** The scanned points of a placeholder; undefined for anything else. */
export type TakePoints = (data: Json | undefined) => Points | undefined;

/**
 * The TimeSeries of an envelope's data; v4.md does not define their shape.
 * @throws {EntsError} refused: names the place, what was expected and what was received.
 */
export function readTimeSeries(data: readonly Json[], takePoints: TakePoints = () => undefined): TimeSeries[] {
  return data.map((item, index) => readItem(item, `data[${index}]`, takePoints));
}

function readItem(item: Json, place: string, takePoints: TakePoints): TimeSeries {
  const checked = itemSchema.safeParse(item, englishMessages);
  if (!checked.success) throw unknownShape(placeOf(checked.error, place), shortMessage(checked.error.issues[0]));
  const fields = item as JsonObject;
  const { network_code: network, metric, unit, results, network_timezone_offset: offset } = checked.data;
  const series = results.map(({ columns }, index): Series => {
    const result = (fields["results"] as readonly JsonObject[])[index] as JsonObject;
    const points = takePoints(result["data"]) ?? readPoints(result["data"], `${place}.results[${index}]`, offset ?? "");
    return { fields: { ...result, data: null }, labels: columns ?? {}, points };
  });
  return { fields: { ...fields, results: null }, network, metric, unit: unit ?? "", series };
}

function readPoints(data: Json | undefined, place: string, offset: string): Points {
  if (!Array.isArray(data)) throw unknownShape(`${place}.data`, `expected array, received ${describeJson(data)}`);
  const stamps: string[] = [];
  const instants: number[] = [];
  const values: (string | null)[] = [];
  for (const point of data as readonly Json[]) {
    const [stamp, value] = readPoint(point, `${place}.data[${stamps.length}]`);
    const instant = parseStamp(stamp, offset);
    if (instant === undefined) throw unexpected(`${place}.data[${stamps.length}]`, "an ISO 8601 timestamp", `"${stamp}"`);
    stamps.push(stamp);
    instants.push(instant);
    values.push(value);
  }
  return sortPoints({ stamps, instants, values });
}

function readPoint(point: Json, place: string): [stamp: string, value: string | null] {
  if (!Array.isArray(point) || point.length !== 2) throw unexpected(place, "[timestamp, value]", describeJson(point));
  const [stamp, value] = point as [Json, Json];
  if (typeof stamp !== "string") throw unexpected(place, "a timestamp first", describeJson(stamp));
  if (value !== null && typeof value === "object" && !isLosslessNumber(value)) {
    throw unexpected(place, "a number or null second", describeJson(value));
  }
  return [stamp, value === null ? null : isLosslessNumber(value) ? value.value : toJsonText(value)];
}

function placeOf(error: z.core.$ZodError, place: string): string {
  const path = error.issues[0]?.path ?? [];
  return place + path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
}

function unexpected(place: string, expected: string, received: string): Error {
  return unknownShape(place, `expected ${expected}, received ${received}`);
}

function unknownShape(place: string, problem: string): Error {
  return new EntsError("refused", `the service's time series have an unknown shape at ${place}: ${problem}`, {
    hint: "use --format json to get the answer unchanged",
  });
}
