/**
 * `journal.ndjson`: one line for each finished run of an output. A line cut off by a crash is ignored.
 *
 * `changes.1767225600000.ndjson.gz`: the points that this run restated or withdrew, one per line. There may be
 * millions, so nothing reads them again. They count once the run is in the journal.
 */
import { open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pipeline as pipelineStreams } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import * as z from "zod/mini";
import { attempt } from "../base/errors.ts";
import { type Json, type JsonObject, toJsonText } from "../base/json.ts";
import { syncFile } from "../files/temporary.ts";
import { ignoreMissing, isMissing } from "../files/system-error.ts";
import { type SplitGrid, isGrid } from "./segments.ts";
import type { Change } from "./compare.ts";
import { basename } from "node:path/posix";
import { findRunOfResponse } from "./response-file.ts";

/** Why a segment is asked for again (rules.ts). */
const reasons = z.enum(["missing", "open", "another form", "unconfirmed", "recheck"]);
/**
 * What came of it: the first response, the same points, other points, no values where there were some, too old for the
 * plan, or an error.
 */
const outcomes = z.enum(["new", "same", "changed", "empty", "out of reach", "refused", "unanswered"]);

export type Reason = z.output<typeof reasons>;
export type Outcome = z.output<typeof outcomes>;

/** For one segment, in one run. */
export interface RequestLogEntry {
  /** The name of the segment. */
  readonly name: string;
  readonly reason: Reason;
  readonly outcome: Outcome;
}

/** What the description of an output says of its origin, apart from its content. */
const madeSchema = z.object({
  /** The version of ents. */
  version: z.string(),
  command: z.string(),
  terms: z.optional(z.object({ plan: z.string(), license: z.string(), url: z.string() })),
  /** The parameters of the query, without its end. */
  parameters: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
});

export type RunOrigin = Readonly<z.output<typeof madeSchema>>;

const runSchema = z.object({
  /**
   * Number in the file names of its responses: its start in milliseconds since 1970 UTC, raised if an earlier run has a
   * higher one.
   */
  run: z.number(),
  /** When its output was complete, in milliseconds since 1970 UTC. */
  at: z.number(),
  /** The query without its window and codes. */
  query: z.custom<JsonObject>((value) => typeof value === "object" && value !== null),
  /** The start of the output, in network time, and how its time is cut. */
  start: z.number(),
  grid: z.custom<SplitGrid>(isGrid),
  /** The end of its values that were neither provisional nor left out, in network time; null if it is unknown. */
  settled: z.nullable(z.number()),
  rows: z.number(),
  bytes: z.number(),
  /** SHA-256 of the output; of a dataset, of its description. */
  hash: z.string(),
  /** A hash of the columns of a dataset. */
  columns: z.optional(z.string()),
  /** The instant of the last point stored, in milliseconds since 1970 UTC; null without points. */
  last: z.nullable(z.number()),
  /** That of the last point of the output, which may end earlier. */
  until: z.optional(z.nullable(z.number())),
  added: z.number(),
  restated: z.number(),
  withdrawn: z.number(),
  /** The number of values that the newest responses lack, and that stay for another night. */
  held: z.number(),
  requests: z.number(),
  /** What was asked for: a segment, why, and what came of it. */
  asked: z.array(z.tuple([z.string(), reasons, outcomes])),
  /** Responses that its output no longer needed, or that were damaged: file names. */
  superseded: z.optional(z.array(z.string())),
  /** The number of stored responses without those; what is shown later has no fewer. */
  stored: z.optional(z.number()),
  /** Whether those are kept for later (`--history`). */
  history: z.optional(z.boolean()),
  /** The plan in use. */
  plan: z.optional(z.string()),
  /** The service's version in the last response; not there without a response, or if it has none. */
  version: z.optional(z.string()),
  /** The window as asked for, in network time, and the end of measured data, if forecasts go on. */
  window: z.optional(
    z.object({ start: z.number(), end: z.nullable(z.number()), measuredUntil: z.optional(z.number()) }),
  ),
  /** How the output was made, if in another way than by the run before. */
  made: z.optional(madeSchema),
  /** The number of values that the output has of each segment in which it has changed. */
  values: z.record(z.string(), z.number()),
  /** Segments that lack a series which those before and after them have. */
  lacking: z.array(z.string()),
  /** Whether a request across a gap showed that the service fills gaps. */
  fills: z.optional(z.boolean()),
});

export type FinishedRun = Readonly<z.output<typeof runSchema>>;

export interface Journal {
  /** All runs that finished, oldest first. */
  readonly runs: readonly FinishedRun[];
  /** The last run that finished. */
  readonly last: FinishedRun | undefined;
  /** How the last run made its output. */
  readonly made: RunOrigin | undefined;
  /** The number of values that the output has of each segment, if any. */
  readonly values: ReadonlyMap<string, number>;
  /** For each segment that was asked for again, the last run that did. */
  readonly checked: ReadonlyMap<string, number>;
  /** Segments that the service refused when they were asked for last. */
  readonly refused: ReadonlySet<string>;
  /** Those that were too old then for the plan in use, with that plan. */
  readonly outOfReach: ReadonlyMap<string, string | undefined>;
  /** The last run in which a recheck found a change; 0 if none has. */
  readonly found: number;
  readonly missingSeries: ReadonlySet<string>;
  /** What the last request across a gap showed. */
  readonly fillsGaps: boolean | undefined;
}

export const JOURNAL = "journal.ndjson";

export const EMPTY_JOURNAL = foldRuns([]);

/** True if `--update` has made the output of this folder before. */
export async function hasFinishedRun(folder: string): Promise<boolean> {
  return (await readJournal(folder)).last !== undefined;
}

export async function readJournal(folder: string): Promise<Journal> {
  const text = await readFile(join(folder, JOURNAL), "utf8").catch((error: unknown) => {
    if (isMissing(error)) return "";
    throw error;
  });
  const parse = (line: string) => runSchema.safeParse(attempt(() => JSON.parse(line) as unknown)).data ?? [];
  return foldRuns(text.split("\n").flatMap(parse));
}

/** What the first runs knew, if not all are given. */
export function foldRuns(runs: readonly FinishedRun[]): Journal {
  const asked = runs.flatMap(({ run, plan, asked: all }) =>
    all.map(([name, reason, outcome]) => ({ run, plan, name, reason, outcome })),
  );
  const lastAsked = [...new Map(asked.map((entry) => [entry.name, entry])).values()];
  const last = runs.at(-1);
  return {
    runs,
    last,
    made: runs.findLast(({ made }) => made !== undefined)?.made,
    values: new Map(
      [...new Map(runs.flatMap(({ values }) => Object.entries(values)))].filter(([, count]) => count > 0),
    ),
    checked: new Map(asked.filter(({ outcome }) => outcome !== "new").map(({ name, run }) => [name, run])),
    refused: new Set(lastAsked.flatMap(({ name, outcome }) => (outcome === "refused" ? name : []))),
    outOfReach: new Map(
      lastAsked.filter(({ outcome }) => outcome === "out of reach").map(({ name, plan }) => [name, plan]),
    ),
    found: asked.findLast(({ reason, outcome }) => reason === "recheck" && outcome === "changed")?.run ?? 0,
    missingSeries: new Set(last?.lacking),
    fillsGaps: runs.findLast(({ fills }) => fills !== undefined)?.fills,
  };
}

/** Adds a finished run. Returns what takes it back, if its output cannot take its place. */
export async function appendRun(
  folder: string,
  run: FinishedRun,
  changes?: AsyncIterable<Change>,
): Promise<() => Promise<void>> {
  if (changes) await writeChanges(folder, run.run, changes);
  const path = join(folder, JOURNAL);
  const file = await open(path, "a+", 0o600);
  try {
    const { size } = await file.stat();
    const { buffer: last } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    if (size > 0 && last.toString() !== "\n") await file.appendFile("\n");
    await file.appendFile(`${JSON.stringify(run)}\n`);
    await syncFile(file);
    // If this fails, too, the first failure is told.
    return () => truncate(path, size).catch(() => {});
  } finally {
    await file.close();
  }
}

const CHANGES = /^changes\.(\d+)\.ndjson\.gz$/;

/** The number of the run that a file of changes is of; 0 for other files. */
export function findRunOfChanges(name: string): number {
  return Number(CHANGES.exec(name)?.[1] ?? 0);
}

async function writeChanges(folder: string, run: number, changes: AsyncIterable<Change>): Promise<void> {
  const file = await open(join(folder, `changes.${run}.ndjson.gz`), "w", 0o600);
  try {
    await pipeline(joinLines(changes), createGzip(), async (parts: AsyncIterable<Buffer>) => {
      for await (const part of parts) await file.appendFile(part);
    });
    await syncFile(file);
  } finally {
    await file.close();
  }
}

/** Lines passed on at once. */
const AT_ONCE = 1000;

async function* joinLines(changes: AsyncIterable<Change>): AsyncGenerator<string> {
  let lines: string[] = [];
  for await (const change of changes) {
    lines.push(`${toJsonText(toLogged(change))}\n`);
    if (lines.length < AT_ONCE) continue;
    yield lines.join("");
    lines = [];
  }
  yield lines.join("");
}

/** A change as it is logged: its labels are texts. */
export type LoggedChange = Omit<Change, "labels" | "instant"> & {
  readonly labels: Readonly<Record<string, string | null>>;
};

/**
 * The points that a run restated or withdrew, in parts; none if their file is gone. @throws {SystemError} it is damaged
 * or cannot be read.
 */
export async function* readChanges(folder: string, run: number): AsyncGenerator<LoggedChange[]> {
  const file = await open(join(folder, `changes.${run}.ndjson.gz`)).catch(ignoreMissing);
  if (!file) return;
  const text = pipelineStreams(file.createReadStream(), createGunzip().setEncoding("utf8"), () => {});
  let rest = "";
  for await (const part of text) {
    const lines = (rest + String(part)).split("\n");
    rest = lines.pop() ?? "";
    yield lines.map(parseLogged);
  }
}

const loggedSchema = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.record(z.string(), z.nullable(z.pipe(z.union([z.string(), z.boolean(), z.number()]), z.transform(String)))),
  z.nullable(z.string()),
  z.nullable(z.string()),
]);

function parseLogged(line: string): LoggedChange {
  const [timestamp, network, metric, labels, old, now] = loggedSchema.parse(JSON.parse(line));
  return { timestamp, network, metric, labels, old: old ?? undefined, now: now ?? undefined };
}

/** Timestamp, network, metric, labels, old value, new value; null where there is none. */
function toLogged({ timestamp, network, metric, labels, old, now }: Change): Json {
  return [timestamp, network, metric, labels, old ?? null, now ?? null];
}

/** The folder of superseded responses (`--history`), which no update uses. */
export const HISTORY = "history";

/**
 * The paths of the responses that an output was made from, among all that are stored; undefined if some have been
 * deleted since. Those in the history of which the journal does not know the end are of a time that it has lost.
 */
export function findStored(
  paths: readonly string[],
  runs: readonly FinishedRun[],
  { run }: FinishedRun,
): string[] | undefined {
  const later = runs.filter((other) => other.run > run);
  if (later.some(({ superseded }) => superseded === undefined)) return undefined;
  const received = (name: string) => findRunOfResponse(name) <= run;
  const before = new Set(runs.filter((other) => other.run <= run).flatMap(({ superseded = [] }) => superseded));
  const since = new Set(
    later.flatMap(({ superseded = [] }) => superseded).filter((name) => received(name) && !before.has(name)),
  );
  const stored = paths.filter((path) => since.has(basename(path)) || (received(path) && !before.has(path)));
  const present = new Set(stored.map((path) => basename(path)));
  return [...since].every((name) => present.has(name)) ? stored : undefined;
}
