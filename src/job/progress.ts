/** How far an export is: a line on a terminal, and sums at the end. */
import { listRequests, type Plan, type PlannedWindow } from "../plan/plan.ts";
import type { ClientEvent, RetryEvent } from "../source/client.ts";
import { type KeptIn, mapReadings, type Source } from "../source/source.ts";
import type { Report } from "../base/report.ts";
import { drawProgress, formatSeconds, type Standing } from "./progress-line.ts";
import { formatCount, formatNumber } from "../base/phrases.ts";
import { formatBytes } from "../base/sizes.ts";
import { formatAge } from "../time/duration.ts";

export interface Progress {
  /** What is still to be answered: the whole plan, or what is planned anew of it. */
  readonly plan: (plan: Pick<Plan, "windows">) => void;
  /** The output starts, or starts over: points and rows count from 0. */
  readonly start: () => void;
  /** An answer was read, from the service or where it was kept. */
  readonly answer: (path: string, from: "service" | KeptIn, receivedAt: number) => void;
  /** Points were passed to the output. */
  readonly add: (points: number) => void;
  /** Rows were written, in a shape where a row may have several points. */
  readonly addRows: (rows: number) => void;
  readonly watch: (event: ClientEvent) => void;
  /** Finished requests. */
  readonly done: number;
  readonly count: Count;
  /** The rows of the output; its points, where each is a row. */
  readonly rows: number;
  /** Clears the progress line for good. */
  readonly stop: () => void;
  /** Clears the progress line for good, and says what was done. */
  readonly finish: (written?: FinishedFile) => void;
}

export function createProgress(report: Report, now: () => number): Progress {
  const started = now();
  const oldestCached = Number.POSITIVE_INFINITY;
  const count = { planned: 0, service: 0, checkpoint: 0, cache: 0, oldestCached, points: 0, rows: 0, retries: 0 };
  // An output that starts over reads the same answers again.
  const answered = new Set<string>();
  const waits = createWaits(now);
  const done = () => count.service + count.checkpoint + count.cache;
  const seconds = () => (now() - started) / 1000;
  let windows: readonly PlannedWindow[] = [];
  const line = createLine(report, () => {
    windows = dropAnswered(windows, answered);
    const rate = count.service / Math.max(seconds(), 0.001);
    return { done: done(), planned: count.planned, seconds: seconds(), rate, window: windows[0]?.window, wait: waits.current() };
  });
  return {
    plan: (plan) => {
      ({ windows } = plan);
      count.planned = done() + listRequests(plan).filter(({ path }) => !answered.has(path)).length;
      line.show();
    },
    start: () => {
      count.points = 0;
      count.rows = 0;
    },
    answer: (path, from, receivedAt) => {
      if (answered.has(path)) return;
      answered.add(path);
      count[from] += 1;
      count.planned = Math.max(count.planned, done());
      if (from === "cache") count.oldestCached = Math.min(count.oldestCached, receivedAt);
      line.show();
    },
    add: (points) => {
      count.points += points;
    },
    addRows: (rows) => {
      count.rows += rows;
    },
    watch: (event) => {
      if (event.type !== "retry") return;
      count.retries += 1;
      waits.add(event);
      line.show();
    },
    get done() {
      return done();
    },
    count,
    get rows() {
      return count.rows || count.points;
    },
    stop: line.stop,
    finish: (written) => {
      line.stop();
      report.detail(describeSum(count, seconds()));
      if (written) report.summary(describeWritten(written, count, seconds()));
    },
  };
}

/** The line is drawn anew so often: seconds count down, and the terminal may change its width. */
const TICK_MS = 500;

function createLine(report: Report, look: () => Standing): { show: () => void; stop: () => void } {
  let stopped = false;
  const show = () => {
    if (!stopped) report.progress((width) => drawProgress(look(), width));
  };
  // After the last answer the output is written, perhaps to the same terminal.
  const refresh = () => {
    const { done, planned } = look();
    if (done < planned) show();
  };
  const ticker = report.showsProgress ? setInterval(refresh, TICK_MS).unref() : undefined;
  const stop = () => {
    stopped = true;
    clearInterval(ticker);
    report.progress(undefined);
  };
  return { show, stop };
}

/** Keeps the waits under way, and gives the one that ends last, with what is left of it. */
function createWaits(now: () => number): { add: (event: RetryEvent) => void; current: () => RetryEvent | undefined } {
  let last: { readonly event: RetryEvent; readonly until: number } | undefined;
  return {
    add: (event) => {
      const until = now() + event.waitMs;
      if (last === undefined || last.until < until) last = { event, until };
    },
    current: () => {
      const waitMs = last === undefined ? 0 : last.until - now();
      return last !== undefined && waitMs > 0 ? { ...last.event, waitMs } : undefined;
    },
  };
}

/** Counts the answers of a source. */
export function countAnswers(source: Source, progress: Progress): Source {
  return mapReadings(source, (reading, { request, received }) => {
    // A kept answer that cannot be read is requested again.
    const isKept = reading.response === received.response && received.kept;
    progress.answer(request.path, isKept || "service", reading.response.receivedAt);
    return reading;
  });
}

/** Without the windows at the start that are answered. */
function dropAnswered(windows: readonly PlannedWindow[], answered: ReadonlySet<string>): readonly PlannedWindow[] {
  const next = windows.findIndex(({ requests }) => !requests.every(({ path }) => answered.has(path)));
  return next < 0 ? [] : windows.slice(next);
}

/** A finished file. */
export interface FinishedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** What is counted in it. */
  readonly unit: "row" | "point";
}

interface Count extends Readonly<Record<"service" | KeptIn, number>> {
  /** Requests in all, with a look across a gap once it is answered; those that are done are counted by where their answers are from. */
  readonly planned: number;
  /** When the oldest answer of the cache was received, in milliseconds since 1970 UTC. */
  readonly oldestCached: number;
  readonly points: number;
  readonly rows: number;
  readonly retries: number;
}

function describeSum(count: Count, seconds: number): string {
  const { service, retries, points } = count;
  const retried = retries > 0 ? [formatCount(retries, "retry", "retries")] : [];
  const parts = [`${formatCount(service, "request")} answered`, ...describeKept(count), ...retried, formatCount(points, "point")];
  return [...parts, `${seconds.toFixed(1)} s`].join(", ");
}

function describeWritten({ name, size, unit }: FinishedFile, count: Count, seconds: number): string {
  const parts = [
    formatCount(count.rows || count.points, unit),
    formatBytes(size),
    formatCount(count.service, "request"),
    ...describeKept(count),
    seconds < 10 ? `${seconds.toFixed(1)} s` : formatSeconds(seconds),
  ];
  return `wrote ${name}: ${parts.join(", ")}`;
}

function describeKept({ checkpoint, cache }: Count): string[] {
  return [
    ...(checkpoint > 0 ? [`${formatNumber(checkpoint)} reused from an earlier run`] : []),
    ...(cache > 0 ? [`${formatNumber(cache)} from the cache`] : []),
  ];
}

/** `12 of 14 answers are from the cache, the oldest 3h old` */
export function describeCached({ cache, planned, oldestCached }: Count, now: number): string {
  const age = `${formatAge(now - oldestCached)} old`;
  if (planned === 1) return `the answer is from the cache, ${age}`;
  const share = `${formatNumber(cache)} of ${formatNumber(planned)} answers`;
  return cache === 1 ? `${share} is from the cache, ${age}` : `${share} are from the cache, the oldest ${age}`;
}
