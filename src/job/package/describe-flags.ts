/** The query of an output as the flags that a user types. */
import { type Json, type JsonObject, toJsonText } from "../../base/json.ts";
import { type GroupLabel, LABELS } from "../../base/vocabulary.ts";
import { FETCH_FLAGS } from "../../options/fetch-options.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../../options/query-options.ts";
import { flagOf, type OptionSpec } from "../../options/spec.ts";

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
export function describeFlags(query: JsonObject): Map<string, string | undefined> {
  const { service, endpoint, network, metrics, interval, parameters } = query;
  const url = toText(service);
  return new Map([
    ["sandbox", url.includes("://") ? undefined : FETCH_FLAGS.sandbox],
    ["service", url.includes("://") ? `${FETCH_FLAGS.baseUrl} ${url}` : undefined],
    ["endpoint", `'ents ${toText(endpoint)}'`],
    ["network", `network ${toText(network)}`],
    ["metrics", withValue(QUERY_OPTIONS.metrics.short, metrics)],
    ["interval", withValue(QUERY_OPTIONS.interval.short, interval)],
    ...Object.entries((parameters ?? {}) as JsonObject).map(([name, values]) => [name, describeParameter({ name, values })] as const),
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
