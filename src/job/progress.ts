/** How far an export is: told on a terminal as it goes, and once at the end. */
import type { ClientEvent } from "../source/client.ts";
import type { Source } from "../source/source.ts";
import { formatNumber } from "../base/numbers.ts";
import type { Report } from "../base/report.ts";

export interface Progress {
  /** So many requests in all, those that are done included. */
  readonly plan: (requests: number) => void;
  /** The output is begun, or begun anew: points count from here. */
  readonly start: () => void;
  /** The answer to a request was read: from the service, or kept from before. */
  readonly answer: (path: string, kept: boolean) => void;
  /** So many points went on to the output. */
  readonly add: (points: number) => void;
  readonly watch: (event: ClientEvent) => void;
  /** Requests done, and in all. */
  readonly done: number;
  readonly planned: number;
  readonly points: number;
  /** Takes the progress away; tells the sum as a detail. */
  readonly finish: () => void;
}

export function createProgress(report: Report, now: () => number): Progress {
  const started = now();
  const count = { planned: 0, fetched: 0, kept: 0, points: 0, retries: 0 };
  // When an output is begun anew its answers come a second time, and are the same ones.
  const answered = new Set<string>();
  const seconds = () => (now() - started) / 1000;
  const show = (extra?: string) => {
    if (count.planned > 1 || extra) report.progress([...describeCount(count, seconds()), extra].filter(Boolean).join(", "));
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
      show(`${event.asked ? "rate limited" : event.reason}; retrying in ${Math.ceil(event.waitMs / 1000)} s`);
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

/** A source that tells the progress of each answer. */
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

function describeCount({ planned, fetched, kept, points }: Count, seconds: number): string[] {
  const done = fetched + kept;
  const rate = fetched / Math.max(seconds, 0.001);
  const left = fetched > 0 && done < planned ? [`${rate.toFixed(1)} requests/s`, `${formatSeconds((planned - done) / rate)} left`] : [];
  return [`${done} of ${planned} requests`, `${formatNumber(points)} points`, ...left];
}

function describeSum({ fetched, kept, points, retries }: Count, seconds: number): string {
  const extras = [kept > 0 ? `${kept} kept from an earlier run` : "", retries > 0 ? countWords(retries, "retry", "retries") : ""].filter(
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
