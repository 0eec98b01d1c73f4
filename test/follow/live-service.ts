/** A service whose data grow as the clock goes on, and which can come late, restate and fail. */
import { Interrupted } from "../../src/base/errors.ts";
import { formatStamp, type LocalTime, MINUTE } from "../../src/time/local-time.ts";
import { type Answer, type ReceivedRequest, type ScriptedService, startService } from "../support/scripted-service.ts";
import { createHome, type Run, type RunOptions } from "../support/run-ents.ts";
import { type Clock, createVirtualClock } from "../support/virtual-clock.ts";
import { envelope, TOKEN } from "../e2e/envelopes.ts";

export const STEP = 5 * MINUTE;
const OFFSET = 600;
/** Noon in network time. */
export const NOON: LocalTime = Date.UTC(2025, 5, 15, 12);

/** Minutes of network time after noon. */
export const at = (minutes: number): LocalTime => NOON + minutes * MINUTE;
/** As ents prints it. */
export const stamp = (local: LocalTime): string => formatStamp(local, OFFSET);
const toInstant = (local: LocalTime) => local - OFFSET * MINUTE;

export interface Reading {
  readonly series: string;
  readonly bucket: LocalTime;
  readonly value: number | null;
  /** From when on the service has it, in network time. */
  readonly from: LocalTime;
}

export interface Asked {
  /** Network time. */
  readonly now: LocalTime;
  /** 0 for the first. */
  readonly index: number;
  readonly request: ReceivedRequest;
}

export interface LiveOptions {
  /** What the service has: the latest of a series and bucket counts. Default: series `a`, its minute of the day. */
  readonly readings?: readonly Reading[] | ((now: LocalTime) => readonly Reading[]);
  /** The label that tells series apart. */
  readonly label?: string;
  readonly interval?: string;
  /** Another answer; undefined for the good one. */
  readonly play?: (asked: Asked) => Answer | undefined;
  /** The service's word on when the answer was made; default: the time. */
  readonly createdAt?: (now: LocalTime) => unknown;
  /** Whether every value has the number of its answer in its decimals: 3 is 3.0007 in the eighth. */
  readonly marks?: boolean;
  /** When ents starts, and is stopped: network time. */
  readonly start?: LocalTime;
  readonly until: LocalTime;
  /** What is added to this machine's clock. */
  readonly skew?: (now: LocalTime) => number;
  /** The machine sleeps from then on, for so long: what measures its own time does not go on. */
  readonly sleep?: readonly [from: LocalTime, ms: number];
}

export interface Live {
  readonly service: ScriptedService;
  /** When each request came, in network time, the start that it asked for, and whether it got the good answer. */
  readonly asked: readonly { readonly now: LocalTime; readonly start: string | null; readonly isGood: boolean }[];
  /** Runs ents until the end. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Run>;
}

export async function startLive(options: LiveOptions): Promise<Live> {
  const { start = at(2), until, play, createdAt = (now) => new Date(toInstant(now)).toISOString(), skew = () => 0 } = options;
  const time = createVirtualClock(toInstant(start) - Date.now());
  const [asleep, ms] = options.sleep ?? [Number.POSITIVE_INFINITY, 0];
  const nowLocal = () => {
    const now = time.now() + OFFSET * MINUTE;
    return now < asleep ? now : now + ms;
  };
  const clock: Clock = { ...time, now: () => toInstant(nowLocal()) + skew(nowLocal()) };
  const stop = new AbortController();
  const asked: Live["asked"][number][] = [];
  const service = await startService((request) => {
    const now = nowLocal();
    const query = new URL(request.url, "http://localhost").searchParams;
    const index = asked.length;
    const played = play?.({ now, index, request });
    asked.push({ now, start: query.get("date_start"), isGood: !played });
    if (now >= until) stop.abort(new Interrupted("SIGINT"));
    return played ?? { body: answer(options, now, { query, created: createdAt(now), index }) };
  });
  const home = createHome();
  const run = (args: readonly string[], more: RunOptions = {}) =>
    home.run(args, { clock, signal: stop.signal, ...more, env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url, ...more.env } });
  return { service, asked, run };
}

/** A series with a value in each bucket, which is there once it has ended: the bucket's number since noon. */
export function grow(series: string, { from = at(-60), to = at(180), lag = 0 } = {}): Reading[] {
  return Array.from({ length: (to - from) / STEP }, (_, index) => {
    const bucket = from + index * STEP;
    return { series, bucket, value: (bucket - NOON) / STEP, from: bucket + STEP + lag };
  });
}

interface Answering {
  readonly query: URLSearchParams;
  readonly created: unknown;
  readonly index: number;
}

function answer(
  { readings = grow("a"), label = "region", interval = "5m", marks }: LiveOptions,
  now: LocalTime,
  { query, created, index }: Answering,
): Record<string, unknown> {
  const start = Date.parse(`${query.get("date_start") ?? "2025-06-15T11:30:00"}Z`);
  const all = typeof readings === "function" ? readings(now) : readings;
  const there = new Map<string, Map<LocalTime, number | null>>();
  for (const { series, bucket, value, from } of all) {
    if (from > now || bucket < start) continue;
    const sent = marks && value !== null ? Number(`${value}.${String(index).padStart(4, "0")}`) : value;
    there.set(series, (there.get(series) ?? new Map<LocalTime, number | null>()).set(bucket, sent));
  }
  const metric = query.get("metrics") ?? "power";
  const series = Array.from(there, ([name, points]) => ({
    labels: { [label]: name },
    points: [...points].sort(([a], [b]) => a - b).map(([bucket, value]) => [stamp(bucket), value] as const),
  }));
  const whole = envelope(series.length === 0 ? [] : [{ metric, series }]);
  return { ...whole, created_at: created, data: (whole["data"] as object[]).map((item) => ({ ...item, interval })) };
}

/** What csv printed: `[time after noon in minutes, series, value]`, without the header. */
export function readRows(csv: string): (readonly [minutes: number, series: string, value: string])[] {
  return csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [time = "", , , , series = "", value = ""] = line.split(",");
      return [(Date.parse(`${time.slice(0, 19)}Z`) - NOON) / MINUTE, series, value] as const;
    });
}
