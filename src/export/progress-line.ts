/** Draws the progress line within a maximum width. Pure. */
import type { Window } from "../query/window.ts";
import { describeRetry, type RetryEvent } from "../source/retry.ts";
import { DAY, formatShort } from "../time/local-time.ts";

/** The progress of an export. */
export interface ProgressState {
  /** Finished requests, and all requests. */
  readonly done: number;
  readonly planned: number;
  readonly seconds: number;
  /** Responses of the service per second; 0 before the first. */
  readonly rate: number;
  /** The window being fetched. */
  readonly window: Window | undefined;
  /** The current wait before a retry, with the time left. */
  readonly wait: RetryEvent | undefined;
}

/** Seconds until the line says that ents waits for the only response. */
const PATIENCE = 2;
const GAP = "  ";
/** Width in characters, without the brackets. */
const BAR = { min: 8, max: 32 };
const BRACKETS = "[]";
/** Minimum length of a shortened reason, in characters; a shorter one is left out. */
const MIN_REASON = 12;

/**
 * Draws as much as fits: a bar, the share done, the current window, the rate and the time left; or a wait. May be
 * empty.
 */
export function drawProgress({ done, planned, seconds, rate, window, wait }: ProgressState, width: number): string {
  if (planned <= 1) {
    if (wait) return describeWait(wait, width);
    return seconds < PATIENCE ? "" : `waiting for the service, ${formatSeconds(seconds)}`;
  }
  const share = done / planned;
  const percent = `${String(Math.floor(100 * share)).padStart(3)} %`;
  if (wait) return addBar([percent, describeWait(wait, width - percent.length - GAP.length)].join(GAP), share, width);
  const [speed, left] =
    rate > 0 && done < planned
      ? [`${rate.toFixed(1)} requests/s`, `${formatSeconds((planned - done) / rate)} left`]
      : [];
  const period = describeDates(window);
  const choices = [[period, speed, left], [period, left], [left]];
  const texts = choices.map((parts) => [percent, ...parts.filter((part) => part !== undefined)].join(GAP));
  const room = width - BAR.min - BRACKETS.length - GAP.length;
  return addBar(texts.find((text) => text.length <= room) ?? percent, share, width);
}

function addBar(text: string, share: number, width: number): string {
  const size = Math.min(BAR.max, width - text.length - GAP.length - BRACKETS.length);
  if (size < BAR.min) return text;
  const filled = "=".repeat(Math.floor(share * size));
  return `[${(filled.length < size ? `${filled}>` : filled).padEnd(size)}]${GAP}${text}`;
}

/** Shortens the reason or leaves it out, so that the next step fits. */
function describeWait(wait: RetryEvent, width: number): string {
  const whole = describeRetry(wait);
  if (whole.length <= width) return whole;
  const next = whole.slice(wait.reason.length);
  const kept = width - next.length - "...".length;
  return kept < MIN_REASON ? next.replace(/^; /, "") : `${wait.reason.slice(0, kept)}...${next}`;
}

/** Dates only, unless the window is shorter than a day. */
function describeDates(window: Window | undefined): string | undefined {
  const { start, end } = window ?? {};
  if (start === undefined) return undefined;
  if (end === undefined) return `from ${formatDay(start)}`;
  const format = end - start < DAY - 1000 ? formatShort : formatDay;
  return `${format(start)} to ${format(end)}`;
}

function formatDay(local: number): string {
  return formatShort(local).slice(0, "2025-01-31".length);
}

/** `45 s`, `12 min`, `3 h 20 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
