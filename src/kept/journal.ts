/** `journal.ndjson`: one line for each finished run of an output. A line that a crash has cut is none. */
import { open, readFile } from "node:fs/promises";
import * as z from "zod/mini";
import type { JsonObject } from "../base/json.ts";
import { isMissing } from "../files/system-error.ts";

const runSchema = z.object({
  /** The number that its answers bear: about when it started, in milliseconds since 1970 UTC, and more than that of each before it. */
  run: z.number(),
  /** When its output was complete, in milliseconds since 1970 UTC. */
  at: z.number(),
  /** The query without its window and codes. */
  query: z.custom<JsonObject>((value) => typeof value === "object" && value !== null),
  /** The start of the window, in network time. */
  start: z.nullable(z.number()),
  rows: z.number(),
  bytes: z.number(),
  /** SHA-256 of the output. */
  hash: z.string(),
  added: z.number(),
  restated: z.number(),
  withdrawn: z.number(),
  requests: z.number(),
  /** Answers that are to be asked for again, by name. */
  dueAgain: z.array(z.string()),
  /** Answers that have the same points as one of another day, by name. */
  confirmed: z.array(z.string()),
  /** Answers that a recheck did not get: the service refused it, or has no data any more; by name. */
  refused: z.array(z.string()),
  /** Answers that lack a series that those before and after them have, by name. */
  doubtful: z.array(z.string()),
});

export type FinishedRun = Readonly<z.output<typeof runSchema>>;

/** Before changes are appended to a log: until the run is finished, what stands after this size is no more than begun. */
const appendingSchema = z.object({ log: z.string(), size: z.number() });

/** Answers of the runs before this one are of other units, or spell timestamps otherwise. */
const eraSchema = z.object({ era: z.number() });

/** One of the answers that were received in the run that was started then was wrong. */
const doubtSchema = z.object({ doubt: z.number() });

type Appending = Readonly<z.output<typeof appendingSchema>>;

export type JournalLine = FinishedRun | Appending | Readonly<z.output<typeof eraSchema>> | Readonly<z.output<typeof doubtSchema>>;

export interface Journal {
  readonly runs: readonly FinishedRun[];
  /** A log whose changes are of a run that did not finish. */
  readonly appending: Appending | undefined;
  /** Answers of the runs before this one are asked for again. */
  readonly era: number;
  /** The runs whose answers are asked for again. */
  readonly doubted: ReadonlySet<number>;
}

/** Whether an output was made since: what a run that failed has received, a later one has used. */
export function isFinished({ runs }: Pick<Journal, "runs">, run: number): boolean {
  return run <= (runs.at(-1)?.run ?? Number.NEGATIVE_INFINITY);
}

export const EMPTY_JOURNAL: Journal = { runs: [], appending: undefined, era: 0, doubted: new Set() };

/** An empty one where there is none. */
export async function readJournal(path: string): Promise<Journal> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return "";
    throw error;
  });
  const lines = text.split("\n").flatMap(parseLine);
  const runs = lines.flatMap((line) => runSchema.safeParse(line).data ?? []);
  const eras = lines.flatMap((line) => eraSchema.safeParse(line).data?.era ?? []);
  const doubted = new Set(lines.flatMap((line) => doubtSchema.safeParse(line).data?.doubt ?? []));
  return { runs, doubted, appending: appendingSchema.safeParse(lines.at(-1)).data, era: Math.max(0, ...eras) };
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
    await file.sync();
  } finally {
    await file.close();
  }
}
