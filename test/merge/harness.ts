/** Drives the way from plan to text over a service in memory, as an export does. */
import { readData, readNoData } from "../../src/source/answers.ts";
import { Failure } from "../../src/source/failure.ts";
import { ColumnsChanged, encodeWindows, type KnownColumns } from "../../src/job/encode.ts";
import { resolveOutput } from "../../src/job/output.ts";
import { OUTPUT_OPTIONS } from "../../src/format/output-options.ts";
import { parseOptions } from "../../src/options/parse.ts";
import { fetchWindows } from "../../src/source/windows.ts";
import type { FormatName } from "../../src/format/registry.ts";
import { findLimits, type MaxWindow } from "../../src/plan/limits.ts";
import { type Plan, type PlannedRequest, planQuery } from "../../src/plan/plan.ts";
import type { Query } from "../../src/query/query.ts";
import type { Shape } from "../../src/series/layout/table.ts";
import { type Envelope, readBodyPlainly } from "../../src/decode/envelope.ts";
import { type Duration, durationMs } from "../../src/time/duration.ts";
import { answerRequest, CREATED_AT, type FakeAnswer, offsetMs, refuseWindow, type ServiceModel } from "./fake-service.ts";

/** When all answers are made. */
const NOW = Date.parse(CREATED_AT);

export type OutputKind = readonly [format: FormatName, shape: Shape | undefined];

export const OUTPUTS: readonly OutputKind[] = [
  ["csv", "long"],
  ["csv", "wide"],
  ["tsv", "long"],
  ["tsv", "wide"],
  ["ndjson", "long"],
  ["ndjson", "wide"],
  ["json", undefined],
  ["table", "wide"],
  ["table", "long"],
];

export type Send = (request: PlannedRequest, signal: AbortSignal, turn: Promise<void>) => Promise<Envelope>;

export interface Result {
  readonly text: string;
  readonly warnings: readonly string[];
  /** How often the plan was made anew. */
  readonly replans: number;
  /** How often the text was begun anew, for columns that came later. */
  readonly restarts: number;
}

export interface Exporting {
  readonly query: Query;
  readonly plan: Plan;
  readonly send: Send;
  readonly output: OutputKind;
  readonly maxWindow?: MaxWindow | undefined;
  readonly concurrency?: number;
  /** Milliseconds since 1970 UTC: where a window without an end ends. */
  readonly now?: number;
}

/** All of what an export writes, begun anew where a later window brings columns. */
export async function runExport({ query, plan, send, output: [format, shape], ...options }: Exporting): Promise<Result> {
  const output = await resolveOutput(parseOptions(OUTPUT_OPTIONS, { format, shape }), {
    stream: process.stdout,
    isTerminal: false,
    columns: undefined,
    colors: false,
  });
  const { maxWindow, concurrency = 4, now = NOW } = options;
  const warnings: string[] = [];
  let columns: KnownColumns = { labelLists: [], metrics: query.metrics };
  let replans = 0;
  for (let restarts = 0; ; restarts++) {
    const limits = query.interval && findLimits(query.interval, maxWindow);
    const signal = new AbortController().signal;
    const windows = fetchWindows(plan, { query, now, limits, concurrency, signal, send, onReplan: () => void replans++ });
    const texts = encodeWindows(windows, { query, output, columns, warn: (text) => warnings.push(text), count: () => {} });
    try {
      const parts: Buffer[] = [];
      for await (const text of texts) parts.push(Buffer.from(text));
      return { text: Buffer.concat(parts).toString("utf8"), warnings, replans, restarts };
    } catch (error) {
      if (!(error instanceof ColumnsChanged)) throw error;
      columns = error.columns;
    }
  }
}

/** What the one request of a service without limits comes to, and what the requests of a plan come to. */
export function runWhole(query: Query, send: Send, output: OutputKind): Promise<Result> {
  const path = `/v4/data/${query.command}/${query.network}?${new URLSearchParams(query.parameters.flatMap(listPairs))}`;
  const plan = { windows: [{ window: query.window, requests: [{ method: "GET" as const, path, points: undefined }] }] };
  return runExport({ query, plan, send, output, maxWindow: "none" });
}

export function runPieces(exporting: Omit<Exporting, "plan">): Promise<Result> {
  const { query, maxWindow, now = NOW } = exporting;
  return runExport({ ...exporting, plan: planQuery(query, { now, maxWindow }) });
}

function listPairs({ name, values }: Query["parameters"][number]): [string, string][] {
  return values.map((value) => [name, value]);
}

export interface Manner {
  /** The longest window of the first, second, … request; the last holds from there on. Undefined: any window. */
  readonly limits?: readonly Duration[];
  /** Decides the order of answers and, in each, of series. */
  readonly seed: number;
  /** Reads bodies the plain way, which is the reference of the fast one. */
  readonly plain?: boolean;
  /** Milliseconds since 1970 UTC: how long a window without an end is. */
  readonly now?: number;
}

/** A client of the service: answers come in any order, and name their series in any. */
export function serve(model: ServiceModel, { limits = [], seed, plain = false, now = NOW }: Manner): Send {
  const random = createRandom(seed);
  let requests = 0;
  return async ({ path }, _signal, turn) => {
    const limit = limits[Math.min(requests++, limits.length - 1)];
    const answer = answerPath(model, path, { limit, random, now });
    for (let turns = random() * 40; turns > 0; turns--) await Promise.resolve();
    if (random() < 0.5) await turn;
    return readAnswer(answer, plain);
  };
}

interface Moment {
  readonly limit: Duration | undefined;
  readonly random: () => number;
  readonly now: number;
}

function answerPath(model: ServiceModel, path: string, { limit, random, now }: Moment): FakeAnswer {
  const search = new URLSearchParams(path.slice(path.indexOf("?")));
  const read = (name: string) => (search.has(name) ? Date.parse(`${search.get(name)}Z`) : undefined);
  const [start = 0, end] = [read("date_start"), read("date_end")];
  const length = (end ?? now + offsetMs(model)) - start;
  if (limit && length > (durationMs(limit) as number)) return refuseWindow(model.interval, `${limit.amount} ${limit.unit}`);
  const units = search.has("unit_code") ? search.getAll("unit_code") : undefined;
  return answerRequest(model, { start, end, metrics: search.getAll("metrics"), units, shuffle: (items) => shuffle(items, random) });
}

function readAnswer({ status, text }: FakeAnswer, plain: boolean): Envelope {
  const bytes = Buffer.from(text);
  try {
    if (status !== 200) return readNoData({ status, bytes, retryAfter: undefined }, NOW);
    return plain ? readBodyPlainly(bytes) : readData(bytes);
  } catch (error) {
    throw error instanceof Failure ? error.error : error;
  }
}

/** Numbers in [0, 1), the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
