/** Reads what ents has written of an output (describe-result.ts). */
import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { isLosslessNumber, type Json, type JsonObject, LosslessNumber, toJsonText } from "../../base/json.ts";
import { type GroupLabel, LABELS } from "../../base/vocabulary.ts";
import { FETCH_FLAGS } from "../../options/fetch-options.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../../options/query-options.ts";
import { flagOf, type OptionSpec } from "../../options/spec.ts";

export interface Descriptor {
  /** The query without its window and codes, and the service: what every run of an output has in common. */
  readonly query: JsonObject;
  /** In the order of `resources`: one, or those of a dataset. */
  readonly files: readonly DescribedFile[];
  /** Whether the files of a dataset are being replaced, or were when a run was killed. */
  readonly unfinished: boolean;
  /** From when to when each has points. */
  readonly series: readonly DescribedSeries[];
}

export interface DescribedSeries {
  readonly metric: string;
  readonly labels: JsonObject;
  readonly first: string;
  readonly last: string;
}

export interface DescribedFile {
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  readonly hash: string;
}

const json = z.custom<JsonObject>((value) => typeof value === "object" && value !== null);
const number = z.pipe(
  z.custom<LosslessNumber>((value) => isLosslessNumber(value)),
  z.transform(({ value }) => Number(value)),
);
const querySchema = z.object({
  sources: z.tuple([z.object({ path: z.optional(z.string()), title: z.string() })]),
  ents: z.object({
    endpoint: z.string(),
    network: z.string(),
    metrics: z.array(z.string()),
    interval: z.nullish(z.string()),
    parameters: json,
  }),
});
const schema = z.object({
  resources: z.array(z.object({ path: z.string(), bytes: number, rows: number, hash: z.string() })),
  ents: z.object({
    unfinished: z.optional(z.boolean()),
    series: z.optional(z.array(z.object({ metric: z.string(), labels: json, first: z.string(), last: z.string() }))),
  }),
});

/** Undefined where there is none, or one that ents did not write. */
export async function readDescriptor(path: string): Promise<Descriptor | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : parseDescriptor(text);
}

/** Undefined for a text that ents did not write. */
export function parseDescriptor(text: string): Descriptor | undefined {
  try {
    const described = JSON.parse(text, keepNumber) as JsonObject;
    const { resources, ents } = schema.parse(described);
    return { query: parseQuery(described), files: resources, unfinished: ents.unfinished ?? false, series: ents.series ?? [] };
  } catch {
    return undefined;
  }
}

/** The numbers of a description are spelled as here. `parseJson` takes 40 KB and 0.1 ms for each request of a long history. */
function keepNumber(_key: string, value: unknown): unknown {
  return typeof value === "number" ? new LosslessNumber(String(value)) : value;
}

const CODES = ["facility_code", "unit_code"];

/** What was asked for, by a description; facility and unit codes may change, and are left out. */
export function parseQuery(described: JsonObject): JsonObject {
  const { sources, ents } = querySchema.parse(described);
  const { endpoint, network, metrics, interval = null } = ents;
  const parameters = Object.fromEntries(Object.entries<Json>(ents.parameters).filter(([name]) => !CODES.includes(name)));
  return { service: sources[0].path ?? sources[0].title, endpoint, network, metrics, interval, parameters };
}

/** How the flags of one query differ from those asked for; undefined where they do not. */
export function compareQueries(found: JsonObject, asked: JsonObject): string | undefined {
  const flags = [found, asked].map(describeFlags) as [Flags, Flags];
  // Instead of --sandbox nobody has to give an address.
  if (flags.some((one) => one.get("sandbox"))) for (const one of flags) one.delete("service");
  const others = [...new Set(flags.flatMap((one) => [...one.keys()]))].filter((name) => flags[0].get(name) !== flags[1].get(name));
  if (others.length === 0) return undefined;
  const [was, now] = flags.map((one) => shortenFlags(others.flatMap((name) => one.get(name) ?? []).join(" "))) as [string, string];
  if (was === "") return `without ${now}`;
  return `with ${was}${now === "" ? ", which this command lacks" : `; this command has ${now}`}`;
}

type Flags = ReturnType<typeof describeFlags>;

/** `--fueltech coal_black wind`, `-r NSW1`, `--group-by region`. */
function describeParameter({ name, values }: { readonly name: string; readonly values: Json }): string {
  const label = (Object.keys(LABELS) as GroupLabel[]).find(
    (one) => LABELS[one].parameter === name && LABELS[one].grouping === toText(values),
  );
  if (label !== undefined) return `${QUERY_FLAGS.groupBy} ${label}`;
  const found = Object.entries<OptionSpec>(QUERY_OPTIONS).find(([, { parameter }]) => parameter === name);
  return `${found ? (found[1].short ?? flagOf(...found)) : name} ${toText(values)}`;
}

/** A flag each, by what it is about; undefined where it is not given. */
function describeFlags(query: JsonObject): Map<string, string | undefined> {
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
function shortenFlags(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}

function withValue(flag: string, value: Json | undefined): string | undefined {
  return value === null || value === undefined ? undefined : `${flag} ${toText(value)}`;
}

function toText(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(toText).join(" ");
  return typeof value === "string" ? value : toJsonText(value ?? null);
}
