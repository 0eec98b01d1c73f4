/** Reads what an earlier run wrote of its output (describe.ts), so that another one can go on from there. */
import { readFile, stat } from "node:fs/promises";
import * as z from "zod/mini";
import { codeOf, EntsError, usageError } from "../../base/errors.ts";
import { isLosslessNumber, type Json, type JsonObject, LosslessNumber } from "../../base/json.ts";
import { describeSystemError } from "../../files/system-error.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import { QUERY_OPTIONS } from "../../options/query-options.ts";
import type { LoggedSeries } from "../../series/series-log.ts";
import type { Label } from "../../series/time-series.ts";
import { formatShort, type LocalTime, MINUTE } from "../../time/local-time.ts";
import { parseOffset } from "../../time/stamp.ts";
import { checkCodes, isCodes } from "./compare-codes.ts";
import { describeFlags, shortenFlags } from "./describe-flags.ts";

/** What the description of an output tells a later run. */
export interface Descriptor {
  /** The query without its window, and the flags of the output: a run that continues the output has the same. */
  readonly origin: JsonObject;
  /** The start that was asked for; undefined for the service's own. */
  readonly start: LocalTime | undefined;
  /** The requests that the output is made of, with the version and time of their answers. */
  readonly requests: readonly JsonObject[];
  readonly series: readonly LoggedSeries[];
  /** In the order of `resources`: one, or those of a dataset. */
  readonly files: readonly DescribedFile[];
  /** Rows before this instant stood in the file when ents found it without its description, or changed: their origin is unknown. */
  readonly unverifiedBefore?: number | undefined;
  /** Whether the service fills gaps with null; undefined where no answer has shown it. */
  readonly fillsGaps?: boolean | undefined;
  /** As of `GapOptions`. */
  readonly sendsNulls?: boolean | undefined;
  /** Before the first gap without nulls, where `fillsGaps` is not false. */
  readonly unfilledSince?: number | undefined;
  readonly again?: Again | undefined;
  /** Milliseconds by which network time is ahead of UTC; undefined where it changes, or nothing tells it. */
  readonly offset?: number | undefined;
  /** How its newest timestamps end, as `Z` or `+10:00`, where they are written as sent. */
  readonly stampSuffix?: string | undefined;
  /** Of a dataset: when it was described. Files that are not newer are as they were then. */
  readonly describedAt?: number | undefined;
  /** Of a dataset, while its files are replaced, and when that was not finished: those from this start on (undefined: all). */
  readonly unfinished?: { readonly from: LocalTime | undefined } | undefined;
}

/** What a later run is to fetch again, as this one could not. */
export interface Again {
  /** Rows from this instant on; -Infinity for all. */
  readonly since: number;
  /** Runs that could not, or have not found it. */
  readonly tries: number;
  /** Whether it was withdrawn, and may come back. */
  readonly withdrawn?: boolean | undefined;
}

export interface DescribedFile {
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  readonly hash: string;
}

/** The facts of a query in a description, its window apart (format/datapackage.ts). */
const QUERY_FACTS = ["endpoint", "network", "metrics", "interval", "parameters"] as const;

const json = z.custom<JsonObject>((value) => typeof value === "object" && value !== null);
const number = z.pipe(
  z.custom<LosslessNumber>((value) => isLosslessNumber(value)),
  z.transform(({ value }) => Number(value)),
);
const instant = z.pipe(z.string(), z.transform(parseInstant));
const originSchema = z.object({
  sources: z.tuple([z.object({ path: z.optional(z.string()), title: z.string() })]),
  ents: z.object({
    ...Object.fromEntries(QUERY_FACTS.map((name) => [name, z.any()])),
    output: json,
    window: z.object({ start: z.nullable(z.string()) }),
  }),
});
const schema = z.object({
  resources: z.array(z.object({ path: z.string(), bytes: number, rows: number, hash: z.string() })),
  ents: z.object({
    unverified_before: z.optional(instant),
    fills_gaps: z.optional(z.boolean()),
    sends_nulls: z.optional(z.boolean()),
    unfilled_since: z.optional(instant),
    fetch_again: z.optional(z.object({ from: z.nullable(instant), tries: number, withdrawn: z.optional(z.boolean()) })),
    utc_offset: z.optional(z.string()),
    timestamps_end: z.optional(z.string()),
    described_at: z.optional(instant),
    unfinished: z.optional(z.object({ from: z.nullable(z.string()) })),
    requests: z.array(json),
    series: z.array(
      z.object({
        network: z.string(),
        metric: z.string(),
        unit: z.string(),
        labels: z.custom<Readonly<Record<string, Label>>>((value) => typeof value === "object" && value !== null),
        first: instant,
        last: instant,
        withdrawn: z.optional(z.boolean()),
      }),
    ),
  }),
});

/** Undefined where there is none, or one that ents did not write. */
export async function readDescriptor(path: string): Promise<Descriptor | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : parseDescriptor(text);
}

/**
 * The same of a file that is to be continued.
 * @throws {EntsError} usage: there is one that ents did not write; output: it cannot be read.
 */
export async function readOwnDescriptor(path: string, name: string): Promise<Descriptor | undefined> {
  let text: string | undefined;
  try {
    text = (await stat(path)).isFile() ? await readFile(path, "utf8") : undefined;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new EntsError("output", `cannot read ${name}: ${describeSystemError(error)}`, { cause: error });
  }
  const descriptor = text === undefined ? undefined : parseDescriptor(text);
  if (descriptor) return descriptor;
  throw usageError(`${name} is not a description by ents, or is damaged`, "restore it, or move it away to update without it");
}

/** The same of its text. */
export function parseDescriptor(text: string): Descriptor | undefined {
  try {
    const described = JSON.parse(text, keepNumber) as JsonObject;
    const { resources, ents } = schema.parse(described);
    const { requests, series, utc_offset: offset, unfinished, unverified_before: unverifiedBefore } = ents;
    return {
      ...parseOrigin(described),
      requests,
      series,
      files: resources,
      unverifiedBefore,
      fillsGaps: ents.fills_gaps,
      sendsNulls: ents.sends_nulls,
      unfilledSince: ents.unfilled_since,
      again: ents.fetch_again && { ...ents.fetch_again, since: ents.fetch_again.from ?? Number.NEGATIVE_INFINITY },
      offset: offset === undefined ? undefined : parseOffset(offset) * MINUTE,
      stampSuffix: ents.timestamps_end,
      describedAt: ents.described_at,
      unfinished: unfinished && { from: parseLocal(unfinished.from) },
    };
  } catch {
    return undefined;
  }
}

/** The numbers of a description are spelled as here. `parseJson` takes 40 KB and 0.1 ms for each request of a long history. */
function keepNumber(_key: string, value: unknown): unknown {
  return typeof value === "number" ? new LosslessNumber(String(value)) : value;
}

function parseLocal(text: string | null): LocalTime | undefined {
  return text === null ? undefined : parseInstant(`${text}Z`);
}

/** @throws {RangeError} */
function parseInstant(text: string): number {
  return Date.parse(new Date(text).toISOString());
}

/** Of a description: where its output comes from, and from when it is. */
export function parseOrigin(described: JsonObject): Continued {
  const { sources, ents } = originSchema.parse(described);
  return { origin: findOrigin(sources, ents), start: parseLocal(ents.window.start) };
}

/** What must be the same in every run that continues an output. */
function findOrigin([source]: readonly [Source], ents: Readonly<Record<string, unknown>>): JsonObject {
  const facts = QUERY_FACTS.map((name) => [name, (ents[name] ?? null) as Json] as const);
  return { service: source.path ?? source.title, ...Object.fromEntries(facts), ...(ents["output"] as JsonObject) };
}

interface Source {
  readonly path?: string | undefined;
  readonly title: string;
}

/**
 * @throws {EntsError} usage: the output is of another query, or has other columns, or begins later than what is asked for.
 * `output`: its name.
 */
export function checkOrigin(output: string, found: Continued, asked: Continued): void {
  const flags = [found, asked].map(({ origin }) => describeFlags(origin)) as [Flags, Flags];
  // Instead of --sandbox nobody has to give an address.
  if (flags.some((one) => one.get("sandbox"))) for (const one of flags) one.delete("service");
  const others = [...new Set(flags.flatMap((one) => [...one.keys()]))].filter((name) => flags[0].get(name) !== flags[1].get(name));
  if (others.every(isCodes)) checkCodes(output, found.origin, asked.origin);
  if (others.length > 0) {
    const [was, now] = flags.map((one) => shortenFlags(others.flatMap((name) => one.get(name) ?? []).join(" "))) as [string, string];
    throw usageError(
      `${output} was written ${was === "" ? `without ${now}` : `with ${was}${now === "" ? ", which this command lacks" : `; this command has ${now}`}`}`,
      `use the same flags, or another file with ${OUTPUT_OPTIONS.output.short}`,
    );
  }
  if (found.start === undefined || asked.start === undefined || asked.start >= found.start) return;
  const [was, now] = [found.start, asked.start].map(formatShort) as [string, string];
  throw usageError(
    `${output} starts at ${was}; an update cannot add earlier rows (${now} was asked for)`,
    `use ${QUERY_OPTIONS.dateStart.short} ${was}, or another file with ${OUTPUT_OPTIONS.output.short}`,
  );
}

export type Continued = Pick<Descriptor, "origin" | "start">;

type Flags = ReturnType<typeof describeFlags>;
