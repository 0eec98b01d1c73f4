/** How far an export is: a line on a terminal, and a summary with --verbose. */
import type { ClientEvent } from "../source/client.ts";
import { describeRetry } from "../source/failure.ts";
import type { Source } from "../source/source.ts";
import { formatNumber } from "../base/numbers.ts";
import type { Report } from "../base/report.ts";

export interface Progress {
  /** Sets the number of requests in all, finished ones included. */
  readonly plan: (requests: number) => void;
  /** The output starts, or starts over: points count from 0. */
  readonly start: () => void;
  /** An answer was read, from the service or (`kept`) the checkpoint. */
  readonly answer: (path: string, kept: boolean) => void;
  /** Points were passed to the output. */
  readonly add: (points: number) => void;
  readonly watch: (event: ClientEvent) => void;
  /** Finished requests. */
  readonly done: number;
  /** Requests in all. */
  readonly planned: number;
  readonly points: number;
  /** Clears the progress line and reports the summary. */
  readonly finish: () => void;
}

export function createProgress(report: Report, now: () => number): Progress {
  const started = now();
  const count = { planned: 0, fetched: 0, kept: 0, points: 0, retries: 0 };
  // An output that starts over reads the same answers again.
  const answered = new Set<string>();
  const seconds = () => (now() - started) / 1000;
  const show = () => {
    if (count.planned > 1) report.progress(describeCount(count, seconds()));
  };
  return {
    plan: (requests) => {
      count.planned = requests;
      show();
    },
    start: () => {
      count.points = 0;
    },
    answer: (path, kept) => {
      if (answered.has(path)) return;
      answered.add(path);
      count[kept ? "kept" : "fetched"] += 1;
      show();
    },
    add: (points) => {
      count.points += points;
      show();
    },
    watch: (event) => {
      if (event.type !== "retry") return;
      count.retries += 1;
      // Without points and rate: it must fit into 80 columns.
      report.progress(`${count.planned > 1 ? `${describeDone(count)}: ` : ""}${describeRetry(event)}`);
    },
    get done() {
      return count.fetched + count.kept;
    },
    get planned() {
      return count.planned;
    },
    get points() {
      return count.points;
    },
    finish: () => {
      report.progress(undefined);
      report.detail(describeSum(count, seconds()));
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

type Count = Readonly<Record<"planned" | "fetched" | "kept" | "points" | "retries", number>>;

function describeDone({ planned, fetched, kept }: Count): string {
  return `${fetched + kept} of ${planned} requests`;
}

function describeCount(count: Count, seconds: number): string {
  const { planned, fetched, kept, points } = count;
  const done = fetched + kept;
  const rate = fetched / Math.max(seconds, 0.001);
  const left = fetched > 0 && done < planned ? [`${rate.toFixed(1)} requests/s`, `${formatSeconds((planned - done) / rate)} left`] : [];
  return [describeDone(count), `${formatNumber(points)} points`, ...left].join(", ");
}

function describeSum({ fetched, kept, points, retries }: Count, seconds: number): string {
  const extras = [kept > 0 ? `${kept} reused from an earlier run` : "", retries > 0 ? countWords(retries, "retry", "retries") : ""].filter(
    Boolean,
  );
  return [
    `${countWords(fetched, "request", "requests")} answered`,
    ...extras,
    countWords(points, "point", "points"),
    `${seconds.toFixed(1)} s`,
  ].join(", ");
}

/** `45 s`, `12 min`, `3 h 20 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function countWords(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
