/** A service whose data grow with the clock, and which can be late, restate and fail. */
import { Interrupted } from "../../src/base/errors.ts";
import { formatTimestamp, type LocalTime, MINUTE } from "../../src/time/local-time.ts";
import { type Answer, type ReceivedRequest, type ScriptedService, startService } from "../support/scripted-service.ts";
import { NO_NETWORK } from "../support/no-network.ts";
import { createHome, type Run, type RunOptions } from "../support/run-ents.ts";
import { type Clock, createVirtualClock } from "../support/virtual-clock.ts";
import { envelope, TOKEN } from "../e2e/envelopes.ts";

export const STEP = 5 * MINUTE;
const OFFSET = 600;
/** Noon in network time. */
export const NOON: LocalTime = Date.UTC(2025, 5, 15, 12);

/** Minutes after noon, in network time. */
export const at = (minutes: number): LocalTime => NOON + minutes * MINUTE;
/** As ents prints it. */
export const timestamp = (local: LocalTime): string => formatTimestamp(local, OFFSET);
const toInstant = (local: LocalTime) => local - OFFSET * MINUTE;

export interface Reading {
  readonly series: string;
  readonly bucket: LocalTime;
  readonly value: number | null;
  /** When the service publishes it, in network time. */
  readonly from: LocalTime;
  /** When the service withdraws it. */
  readonly until?: LocalTime | undefined;
}

interface Asked {
  /** Network time. */
  readonly now: LocalTime;
  /** The first request is 0. */
  readonly index: number;
  readonly request: ReceivedRequest;
}

export interface LiveOptions {
  /**
   * What the service has; the latest reading of a series and interval counts. Default: series `a`, with the minute of
   * the day as its value.
   */
  readonly readings?: readonly Reading[] | ((now: LocalTime) => readonly Reading[]);
  /** The label that distinguishes the series. */
  readonly label?: string;
  readonly interval?: string;
  /** Another answer to a request; undefined for the correct one. */
  readonly play?: (asked: Asked) => Answer | undefined;
  /** The `created_at` of a response; by default, its real time. */
  readonly createdAt?: (now: LocalTime) => unknown;
  /** When ents starts and is stopped, in network time. */
  readonly start?: LocalTime;
  readonly until: LocalTime;
  /** How far this machine's clock is off. */
  readonly skew?: (now: LocalTime) => number;
  /** The machine sleeps for a while: clocks that count running time stand still. */
  readonly sleep?: readonly [from: LocalTime, ms: number];
}

interface Served {
  readonly service: ScriptedService;
  /** The time and the requested start of each request, in network time. */
  readonly asked: { readonly now: LocalTime; readonly start: string | null }[];
}

export interface Live extends Served {
  /** Runs ents until the end. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Run>;
}

export async function startLive(options: LiveOptions): Promise<Live> {
  const { start = at(2), until, skew = () => 0 } = options;
  const time = createVirtualClock(toInstant(start), () => 0);
  const [asleep, ms] = options.sleep ?? [Number.POSITIVE_INFINITY, 0];
  const nowLocal = () => {
    const now = time.now() + OFFSET * MINUTE;
    return now < asleep ? now : now + ms;
  };
  const clock: Clock = { ...time, now: () => toInstant(nowLocal()) + skew(nowLocal()) };
  const stop = new AbortController();
  const served = await serveLive(options, nowLocal, (now) => {
    if (now >= until) stop.abort(new Interrupted("SIGINT"));
  });
  const home = createHome();
  const run = (args: readonly string[], more: RunOptions = {}) =>
    home.run(args, {
      clock,
      signal: stop.signal,
      ...more,
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: served.service.url, ...more.env },
    });
  return { ...served, run };
}

export interface FastLive extends Served {
  readonly nowLocal: () => LocalTime;
  /** For processes: the service's address and their clock. */
  readonly env: Readonly<Record<string, string>>;
}

interface FastClock {
  readonly speed: number;
  /** For this long, the clock runs at normal speed. */
  readonly graceMs?: number;
  /** From then on, the clock is ahead by this many minutes. */
  readonly steps?: readonly { readonly from: LocalTime; readonly by: number }[];
}

/** The same for processes, whose clock runs `speed` times as fast as the real one. */
export async function startFastLive(
  options: Omit<LiveOptions, "until" | "skew" | "sleep">,
  { speed, graceMs = 0, steps = [] }: FastClock,
): Promise<FastLive> {
  const since = Date.now() + graceMs;
  const { start = at(2) } = options;
  const nowLocal = () => {
    const ran = Date.now() - since;
    return start + ran * (ran < 0 ? 1 : speed);
  };
  const served = await serveLive(options, nowLocal);
  const clock = {
    since,
    from: toInstant(start),
    speed,
    steps: steps.map(({ from, by }) => ({ from: toInstant(from), by: by * MINUTE })),
  };
  return {
    ...served,
    nowLocal,
    env: {
      ENTS_TOKEN: TOKEN,
      ENTS_BASE_URL: served.service.url,
      ENTS_TEST_CLOCK: JSON.stringify(clock),
      NODE_OPTIONS: `${NO_NETWORK} --import=${new URL("fast-clock.mjs", import.meta.url).href}`,
    },
  };
}

async function serveLive(
  options: Omit<LiveOptions, "until">,
  nowLocal: () => LocalTime,
  onAsked: (now: LocalTime) => void = () => {},
): Promise<Served> {
  const { play, createdAt = (now) => new Date(toInstant(now)).toISOString() } = options;
  const asked: { now: LocalTime; start: string | null }[] = [];
  const service = await startService((request) => {
    const now = nowLocal();
    const query = new URL(request.url, "http://localhost").searchParams;
    asked.push({ now, start: query.get("date_start") });
    onAsked(now);
    return (
      play?.({ now, index: asked.length - 1, request }) ?? {
        body: answer(options, now, { query, created: createdAt(now) }),
      }
    );
  });
  return { service, asked };
}

/** A series with a value for each interval that has ended: the number of the interval since noon. */
export function grow(series: string, { from = at(-60), to = at(180), lag = 0 } = {}): Reading[] {
  return Array.from({ length: (to - from) / STEP }, (_, index) => {
    const bucket = from + index * STEP;
    return { series, bucket, value: (bucket - NOON) / STEP, from: bucket + STEP + lag };
  });
}

function answer(
  { readings = grow("a"), label = "region", interval = "5m" }: Omit<LiveOptions, "until">,
  now: LocalTime,
  { query, created }: { readonly query: URLSearchParams; readonly created: unknown },
): Record<string, unknown> {
  const start = Date.parse(`${query.get("date_start") ?? "2025-06-15T11:30:00"}Z`);
  const all = typeof readings === "function" ? readings(now) : readings;
  const there = new Map<string, Map<LocalTime, number | null>>();
  for (const { series, bucket, value, from, until = Number.POSITIVE_INFINITY } of all) {
    if (from > now || until <= now || bucket < start) continue;
    there.set(series, (there.get(series) ?? new Map<LocalTime, number | null>()).set(bucket, value));
  }
  const metric = query.get("metrics") ?? "power";
  const series = Array.from(there, ([name, points]) => ({
    labels: { [label]: name },
    points: [...points].sort(([a], [b]) => a - b).map(([bucket, value]) => [timestamp(bucket), value] as const),
  }));
  const whole = envelope(series.length === 0 ? [] : [{ metric, series }]);
  return { ...whole, created_at: created, data: (whole["data"] as object[]).map((item) => ({ ...item, interval })) };
}

/** The csv rows as `[minutes after noon, series, value]`, without the header. */
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
