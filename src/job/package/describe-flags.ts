/** The origin of an output as the flags that a user types. */
import { findPlainZone } from "../../time/zone.ts";
import { type Json, type JsonObject, toJsonText } from "../../base/json.ts";
import { type GroupLabel, LABELS } from "../../base/vocabulary.ts";
import { OUTPUT_FLAGS, OUTPUT_OPTIONS } from "../../format/output-options.ts";
import { FETCH_FLAGS } from "../../options/fetch-options.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../../options/query-options.ts";
import { flagOf, type OptionSpec } from "../../options/spec.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";

/** `--fueltech coal_black wind`, `-r NSW1`, `--group-by region`. */
export function describeParameter({ name, values }: { readonly name: string; readonly values: Json }): string {
  const label = (Object.keys(LABELS) as GroupLabel[]).find(
    (one) => LABELS[one].parameter === name && LABELS[one].grouping === toText(values),
  );
  if (label !== undefined) return `${QUERY_FLAGS.groupBy} ${label}`;
  const found = Object.entries<OptionSpec>(QUERY_OPTIONS).find(([, { parameter }]) => parameter === name);
  return `${found ? (found[1].short ?? flagOf(...found)) : name} ${toText(values)}`;
}

/** A flag each, by what it is about; undefined where it is not given. */
export function describeFlags(origin: JsonObject): Map<string, string | undefined> {
  const { service, endpoint, network, metrics, interval, parameters, format, shape, pivot, interval_end: end, header, partition } = origin;
  const { with: joined, time_zone: zone, time_format: timeFormat, null: nullText } = origin;
  const url = toText(service);
  return new Map([
    ["sandbox", url.includes("://") ? undefined : FETCH_FLAGS.sandbox],
    ["service", url.includes("://") ? `${FETCH_FLAGS.baseUrl} ${url}` : undefined],
    ["endpoint", `'ents ${toText(endpoint)}'`],
    ["network", `network ${toText(network)}`],
    ["metrics", withValue(QUERY_OPTIONS.metrics.short, metrics)],
    ["interval", withValue(QUERY_OPTIONS.interval.short, interval)],
    ...Object.entries((parameters ?? {}) as JsonObject).map(([name, values]) => [name, describeParameter({ name, values })] as const),
    ["format", withValue(OUTPUT_OPTIONS.format.short, format)],
    ["shape", pivot ? withValue(OUTPUT_FLAGS.pivot, pivot) : withValue(OUTPUT_FLAGS.shape, shape)],
    ["with", withValue(OUTPUT_FLAGS.with, joined)],
    ["interval_end", end ? OUTPUT_FLAGS.intervalEnd : undefined],
    // UTC may be there as it was typed.
    ["time_zone", withValue(OUTPUT_FLAGS.timeZone, findPlainZone(toText(zone))?.name ?? zone)],
    ["time_format", withValue(OUTPUT_FLAGS.timeFormat, timeFormat)],
    ["null", withValue(OUTPUT_FLAGS.null, nullText)],
    ["header", header === false ? flagOf("header", OUTPUT_OPTIONS.header) : undefined],
    ["partition", withValue(UPKEEP_FLAGS.partition, partition)],
  ]);
}

const MAX_LENGTH = 200;

/** As a message shows it: hundreds of codes are cut. */
export function shortenFlags(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}

function withValue(flag: string, value: Json | undefined): string | undefined {
  return value === null || value === undefined ? undefined : `${flag} ${toText(value)}`;
}

function toText(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(toText).join(" ");
  return typeof value === "string" ? value : toJsonText(value ?? null);
}
