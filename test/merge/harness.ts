/** Runs jobs with a service and a destination in memory. */
import type { Context } from "../../src/base/context.ts";
import { decodeFully } from "../../src/decode/decode.ts";
import { encodeChunks } from "../../src/format/encode.ts";
import { NO_SCREEN } from "../../src/format/format.ts";
import { OUTPUT_OPTIONS } from "../../src/format/output-options.ts";
import type { ANALYSIS_FLAGS } from "../../src/format/analysis-flags.ts";
import type { OptionInput } from "../../src/options/spec.ts";
import type { FormatName } from "../../src/format/registry.ts";
import type { Destination } from "../../src/export/destination/interface.ts";
import { resolveOutput } from "../../src/export/output.ts";
import { createProcessContext } from "../../src/main/process-context.ts";
import { warnOnce } from "../../src/base/report.ts";
import { gatherResponses } from "../../src/export/gather.ts";
import { runTransfer } from "../../src/export/transfer.ts";
import { parseOptions } from "../../src/options/parse.ts";
import type { MaxWindow } from "../../src/plan/limits.ts";
import { listRequests, type Plan, planQuery } from "../../src/plan/plan.ts";
import type { Query } from "../../src/query/query.ts";
import type { DecodedResponse } from "../../src/series/decoded-response.ts";
import { startColumns } from "../../src/series/layout/columns.ts";
import type { Shape } from "../../src/series/layout/layout.ts";
import { Failure } from "../../src/source/failure.ts";
import { readResponse } from "../../src/source/read-response.ts";
import type { Response } from "../../src/source/response.ts";
import type { Received, Source } from "../../src/source/source.ts";
import { readWindows } from "../../src/source/windows.ts";
import { type Duration, durationMs } from "../../src/time/duration.ts";
import {
  answerRequest,
  CREATED_AT,
  type FakeAnswer,
  offsetMs,
  refuseWindow,
  type ServiceModel,
  type Shown,
} from "./fake-service.ts";

/** When all responses are made. */
export const NOW = Date.parse(CREATED_AT);

/** `shape`, or a label to pivot; and what is printed in place of all rows. */
export type OutputKind = readonly [...ShapedOutput, analysis?: AnalysisInput];

type ShapedOutput = readonly [format: FormatName, shape: Shape | `by ${string}` | undefined];

type AnalysisInput = OptionInput<typeof ANALYSIS_FLAGS>;

export const OUTPUTS: readonly ShapedOutput[] = [
  ["csv", "long"],
  ["csv", "wide"],
  ["tsv", "long"],
  ["tsv", "wide"],
  ["ndjson", "long"],
  ["ndjson", "wide"],
  ["json", undefined],
  ["table", "wide"],
  ["table", "long"],
  ["csv", "by region"],
  ["tsv", "by renewable"],
  ["ndjson", "by fueltech"],
  ["table", "by region"],
];

export type Send = Source["send"];

export interface Result {
  readonly text: string;
  readonly warnings: readonly string[];
  /** How often the plan was made again. */
  readonly replans: number;
  /** The requests whose responses are in the text. */
  readonly paths: readonly string[];
}

export interface Exporting {
  readonly query: Query;
  readonly plan: Plan;
  readonly send: Send;
  readonly output: OutputKind;
  readonly maxWindow?: MaxWindow | undefined;
  readonly concurrency?: number;
  /** Milliseconds since 1970 UTC; an open window ends there. */
  readonly now?: number;
  readonly destination?: ReturnType<typeof createMemory>;
  /** Called before the first request of each plan. */
  readonly onPlan?: () => void;
  /** Whether rows are written as responses come; by default, all responses are gathered first, as for a file. */
  readonly streams?: boolean;
}

/** A destination in memory that keeps its last content. */
export function createMemory(): Destination & { readonly parts: string[] } {
  const parts: string[] = [];
  return {
    parts,
    put: async (chunks, encoding) => {
      parts.length = 0;
      // A part is only valid until the next one is requested.
      for await (const part of encodeChunks(chunks, encoding)) parts.push(Buffer.from(part).toString("utf8"));
    },
  };
}

/** Everything that a job writes. */
export async function runExport({ plan, send, output, ...options }: Exporting): Promise<Result> {
  const { concurrency = 4, destination = createMemory(), streams = false } = options;
  const warnings: string[] = [];
  let replans = 0;
  const encoding = await resolveEncoding(output, plan.query);
  const kept = keep(send);
  const fetching = {
    source: kept,
    concurrency,
    signal: new AbortController().signal,
    warn: (text: string) => void warnings.push(text),
  };
  const { metrics, interval } = plan.query;
  if (!streams) options.onPlan?.();
  const gathered = streams
    ? undefined
    : await gatherResponses(plan, {
        ...fetching,
        warn: warnOnce(fetching.warn),
        checkpoint: { open: async () => {} },
        evidence: { send },
        columns: startColumns(metrics, { interval, pivot: encoding.layout.pivot }),
        onReplan: () => {
          options.onPlan?.();
          replans++;
        },
      });
  await runTransfer({
    ...fetching,
    note: () => {},
    detail: () => {},
    plan: gathered?.plan ?? plan,
    known: gathered && { ...gathered, windows: () => readWindows(gathered.plan, fetching) },
    destination,
    encoding,
    onReplan: () => void replans++,
  });
  const paths = listRequests(gathered?.plan ?? plan).map(({ path }) => path);
  return { text: destination.parts.join(""), warnings, replans, paths };
}

/** Stores what was received, as it may be read several times. */
function keep(send: Send): Source {
  const kept = new Map<string, Received>();
  return {
    send: async (request, signal) => {
      const received = kept.get(request.path) ?? (await send(request, signal));
      kept.set(request.path, received);
      return received;
    },
  };
}

const CONTEXT: Context = {
  ...createProcessContext(new AbortController().signal),
  stdout: { stream: process.stdout, isPipe: true, ...NO_SCREEN },
};

function resolveEncoding([format, shape, analysis]: OutputKind, query: Query) {
  const pivot = shape?.startsWith("by ") ? { pivot: shape.slice("by ".length) } : { shape: shape as Shape | undefined };
  const values = parseOptions(OUTPUT_OPTIONS, {
    format,
    intervalEnd: format !== "json" && shape !== "long",
    ...pivot,
    ...analysis,
  });
  return resolveOutput(values, CONTEXT, { kind: "series", query, now: NOW });
}

/** The result of one request to a service without limits; and below, that of a plan's requests. */
export function runWhole(query: Query, send: Send, output: OutputKind): Promise<Result> {
  const path = `/v4/data/${query.command}/${query.network}?${new URLSearchParams(query.parameters.flatMap(listPairs))}`;
  const plan = {
    query,
    now: NOW,
    limits: undefined,
    windows: [
      { window: query.window, requests: [{ method: "GET" as const, path, points: undefined, endsBy: undefined }] },
    ],
  };
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
  /** The maximum window of the first, second, … request; the last holds from there on. Undefined: no limit. */
  readonly limits?: readonly Duration[];
  /** Decides the order of responses, and of the series in each. */
  readonly seed: number;
  /** Decodes bodies the slow way, the reference for the fast one. */
  readonly plain?: boolean;
  /** Milliseconds since 1970 UTC; an open window ends there. */
  readonly now?: number;
  /** Called with the request and what its response shows. */
  readonly onAnswer?: (shows: Shown, request: { readonly path: string; readonly start: number }) => void;
}

/** A client of the service, with responses and their series in any order. */
export function serve(model: ServiceModel, { limits = [], seed, plain = false, now = NOW, onAnswer }: Manner): Send {
  const random = createRandom(seed);
  let requests = 0;
  return async ({ path }) => {
    const limit = limits[Math.min(requests++, limits.length - 1)];
    const response = respond(answerPath(model, path, { limit, random, now, onAnswer }));
    for (let turns = random() * 40; turns > 0; turns--) await Promise.resolve();
    const answer = response.status === 200 ? undefined : await readAnswer(response, plain);
    return {
      response,
      storedIn: false,
      read: async () => ({ response, decoded: answer ?? (await readAnswer(response, plain)) }),
    };
  };
}

interface Moment {
  readonly limit: Duration | undefined;
  readonly random: () => number;
  readonly now: number;
  readonly onAnswer: Manner["onAnswer"];
}

function answerPath(model: ServiceModel, path: string, { limit, random, now, onAnswer }: Moment): FakeAnswer {
  const search = new URLSearchParams(path.slice(path.indexOf("?")));
  const read = (name: string) => (search.has(name) ? Date.parse(`${search.get(name)}Z`) : undefined);
  const [start = 0, end] = [read("date_start"), read("date_end")];
  const length = (end ?? now + offsetMs(model)) - start;
  if (limit && length > (durationMs(limit) as number))
    return refuseWindow(model.interval, `${limit.amount} ${limit.unit}`);
  const units = search.has("unit_code") ? search.getAll("unit_code") : undefined;
  const metrics = search.getAll("metrics");
  const answer = answerRequest(model, { start, end, metrics, units, shuffle: (items) => shuffle(items, random) });
  if (onAnswer && answer.show) onAnswer(answer.show(), { path, start });
  return answer;
}

function respond({ status, text }: FakeAnswer): Response {
  return { status, bytes: Buffer.from(text), gzip: false, retryAfter: undefined, receivedAt: NOW };
}

async function readAnswer(response: Response, plain: boolean): Promise<DecodedResponse> {
  try {
    return plain && response.status === 200 ? decodeFully(response.bytes) : await readResponse(response);
  } catch (error) {
    throw error instanceof Failure ? error.toError(1) : error;
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
