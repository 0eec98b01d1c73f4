/** Shows the progress of an export: a line on a terminal, and totals at the end. */
import { listRequests, type Plan, type PlannedWindow } from "../plan/plan.ts";
import type { ClientEvent } from "../source/client.ts";
import type { RetryEvent } from "../source/retry.ts";
import { type StoredIn, mapReadings, type Source } from "../source/source.ts";
import { hasUnidentifiedRows } from "../source/check-window.ts";
import type { Report } from "../base/report.ts";
import { type Chunk, countItems } from "../series/merge.ts";
import { drawProgress, formatSeconds, type ProgressState } from "./progress-line.ts";
import { formatCount, formatNumber } from "../base/phrases.ts";
import { formatBytes } from "../base/sizes.ts";
import { formatAge } from "../time/duration.ts";
import type { Observer } from "./observe.ts";

/** How often the line is redrawn: seconds count down, and the terminal's width may change. */
const TICK_MS = 500;

export class Progress implements Observer {
  readonly count = {
    /** All requests; one across a gap is included once it has its response. */
    planned: 0,
    /** Finished requests, by the origin of their responses. */
    service: 0,
    checkpoint: 0,
    cache: 0,
    /** When the oldest cached response was received, in milliseconds since 1970 UTC. */
    oldestCached: Number.POSITIVE_INFINITY,
    points: 0,
    rows: 0,
    retries: 0,
    hasUnidentifiedRows: false,
  };
  readonly #report: Report;
  readonly #now: () => number;
  readonly #started: number;
  /** Paths of the requests already counted, as a response may be read more than once. */
  readonly #answered = new Set<string>();
  #windows: readonly PlannedWindow[] = [];
  /** The current wait that ends last. */
  #wait: { readonly event: RetryEvent; readonly until: number } | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(report: Report, now: () => number) {
    this.#report = report;
    this.#now = now;
    this.#started = now();
    // No redraw after the last response: then the output is written, perhaps to the same terminal.
    const refresh = () => void (this.done < this.count.planned && this.#show());
    if (report.showsProgress) this.#ticker = setInterval(refresh, TICK_MS).unref();
  }

  /** Finished requests. */
  get done(): number {
    const { service, checkpoint, cache } = this.count;
    return service + checkpoint + cache;
  }

  /** Rows of the output; of pictures and json, points. */
  get rows(): number {
    return this.count.rows;
  }

  get #seconds(): number {
    return (this.#now() - this.#started) / 1000;
  }

  /** Sets the remaining requests: the complete plan, or the rest after it was planned again. */
  plan(plan: Pick<Plan, "windows">): void {
    this.#windows = plan.windows;
    this.count.planned = this.done + listRequests(plan).filter(({ path }) => !this.#answered.has(path)).length;
    this.#show();
  }

  /** Counts a response that was read, from the service or a store. */
  decoded(path: string, from: "service" | StoredIn, receivedAt: number): void {
    if (this.#answered.has(path)) return;
    this.#answered.add(path);
    this.count[from] += 1;
    this.count.planned = Math.max(this.count.planned, this.done);
    if (from === "cache") this.count.oldestCached = Math.min(this.count.oldestCached, receivedAt);
    this.#show();
  }

  onChunk(chunk: Chunk): void {
    this.count.points += countItems(chunk);
  }

  /** For a query that does not name facilities. */
  lookForUnits({ timeSeries }: Chunk): void {
    this.count.hasUnidentifiedRows ||= hasUnidentifiedRows(timeSeries);
  }

  onRows(rows: number): void {
    this.count.rows += rows;
  }

  onEvent(event: ClientEvent): void {
    if (event.type !== "retry") return;
    this.count.retries += 1;
    const until = this.#now() + event.waitMs;
    if (this.#wait === undefined || this.#wait.until < until) this.#wait = { event, until };
    this.#show();
  }

  /** Clears the progress line for good. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#ticker);
    this.#report.progress(undefined);
  }

  /** Prints the totals. */
  finish(written?: FinishedFile): void {
    this.#report.detail(describeSum(this.count, this.#seconds));
    if (written) this.#report.summary(describeFinishedFile(written, this.count, this.#seconds));
  }

  #show(): void {
    if (this.#stopped) return;
    this.#report.progress((width) => drawProgress(this.#look(), width), {
      done: this.done,
      planned: this.count.planned,
    });
  }

  #look(): ProgressState {
    this.#windows = dropAnswered(this.#windows, this.#answered);
    const { planned, service } = this.count;
    const seconds = this.#seconds;
    const waitMs = this.#wait ? this.#wait.until - this.#now() : 0;
    return {
      done: this.done,
      planned,
      seconds,
      rate: service / Math.max(seconds, 0.001),
      window: this.#windows[0]?.window,
      wait: this.#wait && waitMs > 0 ? { ...this.#wait.event, waitMs } : undefined,
    };
  }
}

type ProgressCount = Readonly<Progress["count"]>;

/** Counts the responses of a source. */
export function countResponses(source: Source, progress: Progress): Source {
  return mapReadings(source, (reading, { request, received }) => {
    // A stored response that cannot be read is requested again.
    const storedIn = reading.response === received.response && received.storedIn;
    progress.decoded(request.path, storedIn || "service", reading.response.receivedAt);
    return reading;
  });
}

/** Removes the finished windows at the start. */
function dropAnswered(windows: readonly PlannedWindow[], answered: ReadonlySet<string>): readonly PlannedWindow[] {
  const next = windows.findIndex(({ requests }) => !requests.every(({ path }) => answered.has(path)));
  return next < 0 ? [] : windows.slice(next);
}

export interface FinishedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes of the file that it replaced. */
  readonly replaced: number | undefined;
  /** Whether its content is counted in rows or points. */
  readonly unit: "row" | "point";
}

function describeSum(count: ProgressCount, seconds: number): string {
  const { service, retries, points } = count;
  const retried = retries > 0 ? [formatCount(retries, "retry", "retries")] : [];
  const parts = [
    `${formatCount(service, "request")} answered`,
    ...describeStored(count),
    ...retried,
    formatCount(points, "point"),
  ];
  return [...parts, `${seconds.toFixed(1)} s`].join(", ");
}

function describeFinishedFile(
  { name, size, replaced, unit }: FinishedFile,
  count: ProgressCount,
  seconds: number,
): string {
  const parts = [
    formatCount(count.rows, unit) + (count.hasUnidentifiedRows ? " without unit codes" : ""),
    formatBytes(size) + (replaced ? ` (replaced ${formatBytes(replaced)})` : ""),
    formatCount(count.service, "request"),
    ...describeStored(count),
    seconds < 10 ? `${seconds.toFixed(1)} s` : formatSeconds(seconds),
  ];
  return `wrote ${name}: ${parts.join(", ")}`;
}

function describeStored({ checkpoint, cache }: ProgressCount): string[] {
  return [
    ...(checkpoint > 0 ? [`${formatNumber(checkpoint)} reused from an earlier run`] : []),
    ...(cache > 0 ? [`${formatNumber(cache)} from the cache`] : []),
  ];
}

/** `12 of 14 responses are from the cache, the oldest 3h old` */
export function describeCached({ cache, planned, oldestCached }: ProgressCount, now: number): string {
  const age = `${formatAge(now - oldestCached)} old`;
  if (planned === 1) return `the response is from the cache, ${age}`;
  const share = `${formatNumber(cache)} of ${formatNumber(planned)} responses`;
  return cache === 1 ? `${share} is from the cache, ${age}` : `${share} are from the cache, the oldest ${age}`;
}
