/** How far an export is: a line on a terminal, and sums at the end. */
import type { Plan, PlannedWindow } from "../plan/plan.ts";
import { listRequests } from "../plan/plan.ts";
import type { ClientEvent, RetryEvent } from "../source/client.ts";
import type { Source } from "../source/source.ts";
import { formatCount, formatNumber } from "../base/numbers.ts";
import { formatBytes } from "../base/sizes.ts";
import type { Report } from "../base/report.ts";
import { drawProgress, formatSeconds, type Standing } from "./progress-line.ts";

export interface Progress {
  /** What is still to be answered: the whole plan, or what is planned anew of it. */
  readonly plan: (plan: Pick<Plan, "windows">) => void;
  /** The output starts, or starts over: points and rows count from 0. */
  readonly start: () => void;
  /** An answer was read, from the service or (`kept`) the checkpoint. */
  readonly answer: (path: string, kept: boolean) => void;
  /** Points were passed to the output. */
  readonly add: (points: number) => void;
  /** Rows were written, in a shape where a row may have several points. */
  readonly addRows: (rows: number) => void;
  readonly watch: (event: ClientEvent) => void;
  /** Finished requests. */
  readonly done: number;
  /** Requests in all. */
  readonly planned: number;
  /** Of the output; its points where each is one. */
  readonly rows: number;
  /** Clears the progress line for good. */
  readonly stop: () => void;
  /** The same, and tells what was done. */
  readonly finish: (written?: Written) => void;
}

/** A finished file. */
export interface Written {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** What is counted in it. */
  readonly unit: "row" | "point";
}

export function createProgress(report: Report, now: () => number): Progress {
  const started = now();
  const count = { planned: 0, fetched: 0, kept: 0, points: 0, rows: 0, retries: 0 };
  // An output that starts over reads the same answers again.
  const answered = new Set<string>();
  const waits = createWaits(now);
  const done = () => count.fetched + count.kept;
  const seconds = () => (now() - started) / 1000;
  let windows: readonly PlannedWindow[] = [];
  const line = createLine(report, () => {
    windows = dropAnswered(windows, answered);
    const rate = count.fetched / Math.max(seconds(), 0.001);
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
    answer: (path, kept) => {
      if (answered.has(path)) return;
      answered.add(path);
      count[kept ? "kept" : "fetched"] += 1;
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
    get planned() {
      return count.planned;
    },
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

/** Of the waits under way, the one that ends last, with what is left of it. */
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
  return {
    send: async (request, signal) => {
      const received = await source.send(request, signal);
      return {
        ...received,
        read: async () => {
          const reading = await received.read();
          progress.answer(request.path, received.kept);
          return reading;
        },
      };
    },
  };
}

/** Without the windows at the start that are answered. */
function dropAnswered(windows: readonly PlannedWindow[], answered: ReadonlySet<string>): readonly PlannedWindow[] {
  const next = windows.findIndex(({ requests }) => !requests.every(({ path }) => answered.has(path)));
  return next < 0 ? [] : windows.slice(next);
}

type Count = Readonly<Record<"fetched" | "kept" | "points" | "rows" | "retries", number>>;

function describeSum({ fetched, kept, points, retries }: Count, seconds: number): string {
  const extras = [kept > 0 ? describeKept(kept) : "", retries > 0 ? formatCount(retries, "retry", "retries") : ""].filter(Boolean);
  return [`${formatCount(fetched, "request")} answered`, ...extras, formatCount(points, "point"), `${seconds.toFixed(1)} s`].join(", ");
}

function describeWritten({ name, size, unit }: Written, { fetched, kept, points, rows }: Count, seconds: number): string {
  const parts = [
    formatCount(rows || points, unit),
    formatBytes(size),
    formatCount(fetched, "request"),
    ...(kept > 0 ? [describeKept(kept)] : []),
    seconds < 10 ? `${seconds.toFixed(1)} s` : formatSeconds(seconds),
  ];
  return `wrote ${name}: ${parts.join(", ")}`;
}

function describeKept(kept: number): string {
  return `${formatNumber(kept)} reused from an earlier run`;
}
