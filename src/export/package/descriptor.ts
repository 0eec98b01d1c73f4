/** Reads the description of an output that ents has written (describe-result.ts). */
import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { attempt, usageError } from "../../base/errors.ts";
import { isLosslessNumber, type Json, type JsonObject, LosslessNumber, toJsonText } from "../../base/json.ts";
import { type GroupLabel, LABELS } from "../../base/vocabulary.ts";
import { FETCH_FLAGS } from "../../options/fetch-options.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../../options/query-options.ts";
import { flagOf, type OptionSpec } from "../../options/spec.ts";
import type { Labels } from "../../series/time-series.ts";
import type { LocalTime } from "../../time/local-time.ts";

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
const file = z.object({ path: z.string(), bytes: number, rows: number, values: z.optional(number), hash: z.string() });
const series = z.object({
  network: z.optional(z.string()),
  metric: z.string(),
  unit: z.optional(z.string()),
  labels: z.custom<Labels>((value) => typeof value === "object" && value !== null),
  first: z.string(),
  last: z.string(),
});
const schema = z.object({
  resources: z.array(file),
  licenses: z.optional(z.array(z.object({ title: z.string() }))),
  ents: z.object({
    command: z.optional(z.string()),
    unfinished: z.optional(z.boolean()),
    fills_gaps: z.optional(z.boolean()),
    series: z.optional(z.array(series)),
    requests: z.optional(z.array(json)),
    window: z.looseObject({ start: z.nullable(z.string()) }),
  }),
});

export type DescribedFile = Readonly<z.infer<typeof file>>;

export type DescribedSeries = Readonly<z.infer<typeof series>>;

export interface Descriptor {
  /** The command line that wrote the output. */
  readonly command: string | undefined;
  /** The service, and the query without its window and codes, which are the same in every run of an output. */
  readonly query: JsonObject;
  /** In the order of `resources`: a single file, or those of a dataset. */
  readonly files: readonly DescribedFile[];
  /** True while the files of a dataset are being replaced, or if a run was killed then. */
  readonly unfinished: boolean;
  /** The window that was asked for, as it is written; its start, in network time. */
  readonly window: Readonly<Record<string, unknown>>;
  readonly start: LocalTime | undefined;
  readonly licence: string | undefined;
  /** Each series, with the timestamps of its first and last point. */
  readonly series: readonly DescribedSeries[];
  /** Whether the service fills gaps; undefined if it is unknown. */
  readonly fillsGaps: boolean | undefined;
  readonly requests: readonly JsonObject[];
}

/** Undefined if there is none, or ents did not write it. */
export async function readDescriptor(path: string): Promise<Descriptor | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : parseDescriptor(text);
}

/** The form of descriptions that this version writes, and reads with those of versions before. */
export const FORM = 1;

const formSchema = z.object({ ents: z.object({ version: z.string(), form: number }) });

/**
 * Undefined for a text that ents did not write. @throws {EntsError} usage: a later version of ents wrote it, in a form
 * that this one does not know.
 */
export function parseDescriptor(text: string): Descriptor | undefined {
  const described = attempt(() => JSON.parse(text, keepNumber) as JsonObject);
  const { ents: writer } = formSchema.safeParse(described).data ?? {};
  if (writer && writer.form > FORM)
    throw usageError(
      `ents ${writer.version} has written this output, in a form that this version does not know`,
      `use ents ${writer.version} or later for it`,
    );
  return described && readForm(described);
}

function readForm(described: JsonObject): Descriptor | undefined {
  try {
    const { resources: files, licenses = [], ents } = schema.parse(described);
    const { command, unfinished = false, series: all = [], requests = [], fills_gaps: fillsGaps, window } = ents;
    const start = window.start === null ? undefined : Date.parse(`${window.start}Z`);
    const query = parseQuery(described);
    const licence = licenses[0]?.title;
    return { command, query, files, unfinished, window, start, licence, series: all, requests, fillsGaps };
  } catch {
    return undefined;
  }
}

/**
 * Exact, as ents wrote these numbers with `String`. `parseJson` takes 40 KB and 0.1 ms for each request of a long
 * history.
 */
function keepNumber(_key: string, value: unknown): unknown {
  return typeof value === "number" ? new LosslessNumber(String(value)) : value;
}

const CODES = ["facility_code", "unit_code"];

/** Reads the query from a description, without facility and unit codes, as those may change. */
export function parseQuery(described: JsonObject): JsonObject {
  const { sources, ents } = querySchema.parse(described);
  const { endpoint, network, metrics, interval = null } = ents;
  const parameters = Object.fromEntries(
    Object.entries<Json>(ents.parameters).filter(([name]) => !CODES.includes(name)),
  );
  return { service: sources[0].path ?? sources[0].title, endpoint, network, metrics, interval, parameters };
}

/** Describes how the flags of a stored query differ from the requested ones; undefined if they do not. */
export function compareQueries(stored: JsonObject, requested: JsonObject): string | undefined {
  const [before, after] = [describeQueryFlags(stored), describeQueryFlags(requested)];
  const names = new Set([...before.keys(), ...after.keys()]);
  // If one has --sandbox, the URL of the other does not matter.
  if (before.get("sandbox") ?? after.get("sandbox")) names.delete("service");
  const others = [...names].filter((name) => before.get(name) !== after.get(name));
  if (others.length === 0) return undefined;
  const [was, now] = [before, after].map((flags) =>
    shortenFlags(others.flatMap((name) => flags.get(name) ?? []).join(" ")),
  );
  if (was === "") return `without ${now}`;
  return `with ${was}${now === "" ? ", which this command lacks" : `; this command has ${now}`}`;
}

/** `--fueltech coal_black wind`, `-r NSW1`, `--group-by region`. */
function describeParameter(name: string, values: Json): string {
  const label = (Object.keys(LABELS) as GroupLabel[]).find(
    (candidate) => LABELS[candidate].parameter === name && LABELS[candidate].grouping === jsonToText(values),
  );
  if (label !== undefined) return `${QUERY_FLAGS.groupBy} ${label}`;
  const found = Object.entries<OptionSpec>(QUERY_OPTIONS).find(([, { parameter }]) => parameter === name);
  return `${found ? (found[1].short ?? flagOf(...found)) : name} ${jsonToText(values)}`;
}

/** The flags of a query, by topic; undefined for a flag that is not given. */
function describeQueryFlags(query: JsonObject): Map<string, string | undefined> {
  const { service, endpoint, network, metrics, interval, parameters } = query;
  const url = jsonToText(service);
  return new Map([
    ["sandbox", url.includes("://") ? undefined : FETCH_FLAGS.sandbox],
    ["service", url.includes("://") ? `${FETCH_FLAGS.baseUrl} ${url}` : undefined],
    ["endpoint", `'ents ${jsonToText(endpoint)}'`],
    ["network", `network ${jsonToText(network)}`],
    ["metrics", withValue(QUERY_OPTIONS.metrics.short, metrics)],
    ["interval", withValue(QUERY_OPTIONS.interval.short, interval)],
    ...Object.entries((parameters ?? {}) as JsonObject).map(
      ([name, values]) => [name, describeParameter(name, values)] as const,
    ),
  ]);
}

const MAX_LENGTH = 200;

/** Shortens a text for a message, as it may contain hundreds of codes. */
function shortenFlags(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}

function withValue(flag: string, value: Json | undefined): string | undefined {
  return value === null || value === undefined ? undefined : `${flag} ${jsonToText(value)}`;
}

function jsonToText(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(jsonToText).join(" ");
  return typeof value === "string" ? value : toJsonText(value ?? null);
}
