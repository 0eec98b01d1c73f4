/**
 * `journal.ndjson`: one line for each finished run of an output, after the lines that the run wrote while it worked:
 * `appending`, `era`, `doubt`. A line cut off by a crash is ignored.
 *
 * Four terms for responses that are fetched again:
 * - due: unusable until it is fetched again, for any of the reasons in due.ts;
 * - dueAgain: values were missing that an older response had, so the next run rechecks it;
 * - doubted: belongs to a run that received a wrong response, so the next run rechecks it;
 * - doubtful: lacks a series that the responses before and after it have, so that it is rechecked before others.
 */
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { JsonObject } from "../base/json.ts";
import { syncFile } from "../files/sync-file.ts";
import { isMissing } from "../files/system-error.ts";

const runSchema = z.object({
  /** Number in the file names of its responses: its start in milliseconds since 1970 UTC, raised if an earlier run has a higher one. */
  run: z.number(),
  /** When its output was complete, in milliseconds since 1970 UTC. */
  at: z.number(),
  /** The query without its window and codes. */
  query: z.custom<JsonObject>((value) => typeof value === "object" && value !== null),
  /** The start of the window, in network time. */
  start: z.nullable(z.number()),
  rows: z.number(),
  /** The number of points that have a value. Older versions of ents did not write it, nor `last`. */
  values: z.optional(z.number()),
  /** The instant of the last point, in milliseconds since 1970 UTC; null without points. */
  last: z.nullish(z.number()),
  bytes: z.number(),
  /** SHA-256 of the output. */
  hash: z.string(),
  added: z.number(),
  restated: z.number(),
  withdrawn: z.number(),
  requests: z.number(),
  /** File names of responses, here and below. */
  dueAgain: z.array(z.string()),
  /** Have the same points as a response received at least a day earlier. */
  confirmed: z.array(z.string()),
  /** Could not be rechecked: the service refused, or no longer has the data. */
  refused: z.array(z.string()),
  doubtful: z.array(z.string()),
});

export type FinishedRun = Readonly<z.output<typeof runSchema>>;

/** Written before changes are appended to a log: if the run does not finish, the next one truncates the log to `size` bytes. */
const appendingSchema = z.object({ log: z.string(), size: z.number() });

/** Responses of the runs before this one have other units or another timestamp format. */
const eraSchema = z.object({ era: z.number() });

/** All responses of this run are fetched again, because one was wrong. `because`: the file name of the one that has changed. */
const doubtSchema = z.object({ doubt: z.number(), because: z.optional(z.string()) });

type Appending = Readonly<z.output<typeof appendingSchema>>;

export type JournalLine = FinishedRun | Appending | Readonly<z.output<typeof eraSchema>> | Readonly<z.output<typeof doubtSchema>>;

export interface Journal {
  readonly runs: readonly FinishedRun[];
  /** The log to which an unfinished run was appending. */
  readonly appending: Appending | undefined;
  /** Responses of the runs before this one are fetched again. */
  readonly era: number;
  /** Runs whose responses are fetched again. */
  readonly doubted: ReadonlySet<number>;
  /** File names of responses that the service refused, or had no data for, since the last doubt. */
  readonly refused: ReadonlySet<string>;
}

/** True if that run or a later one has completed the output. */
export function isFinished({ runs }: Pick<Journal, "runs">, run: number): boolean {
  return run <= (runs.at(-1)?.run ?? Number.NEGATIVE_INFINITY);
}

/** The name of its file. */
export const JOURNAL = "journal.ndjson";

export const EMPTY_JOURNAL: Journal = { runs: [], appending: undefined, era: 0, doubted: new Set(), refused: new Set() };

/** True if `--update` has made the output of this folder before. */
export async function hasFinishedRun(folder: string): Promise<boolean> {
  return (await readJournal(join(folder, JOURNAL))).runs.length > 0;
}

export async function readJournal(path: string): Promise<Journal> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return "";
    throw error;
  });
  const lines = text.split("\n").flatMap(parseLine);
  const runs = lines.flatMap((line) => runSchema.safeParse(line).data ?? []);
  const eras = lines.flatMap((line) => eraSchema.safeParse(line).data?.era ?? []);
  const isDoubt = (line: unknown) => doubtSchema.safeParse(line).success;
  const doubted = new Set(lines.flatMap((line) => doubtSchema.safeParse(line).data?.doubt ?? []));
  const sinceDoubt = lines.slice(lines.findLastIndex(isDoubt) + 1).flatMap((line) => runSchema.safeParse(line).data ?? []);
  const refused = new Set(sinceDoubt.flatMap((run) => run.refused));
  return { runs, doubted, refused, appending: appendingSchema.safeParse(lines.at(-1)).data, era: Math.max(0, ...eras) };
}

function parseLine(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

export async function appendLine(path: string, line: JournalLine): Promise<void> {
  const file = await open(path, "a+", 0o600);
  try {
    const { size } = await file.stat();
    const { buffer: last } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const isCut = size > 0 && last.toString() !== "\n";
    await file.appendFile(`${isCut ? "\n" : ""}${JSON.stringify(line)}\n`);
    await syncFile(file);
  } finally {
    await file.close();
  }
}
