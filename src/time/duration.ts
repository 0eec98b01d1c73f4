/** Durations as users write them: `12h`, `7d`, `6M`. */
import { DAY, HOUR, MINUTE } from "./local-time.ts";

export interface Duration {
  readonly amount: number;
  readonly unit: DurationUnit;
}

const DURATION_UNITS = { s: "seconds", m: "minutes", h: "hours", d: "days", w: "weeks", M: "months", y: "years" } as const;
export type DurationUnit = (typeof DURATION_UNITS)[keyof typeof DURATION_UNITS];

/** `30s`, `90m`, `12h`, `7d`, `2w`, `6M`, `1y`; undefined for anything else, `0d` included. */
export function parseDuration(text: string): Duration | undefined {
  const match = /^(\d{1,9})([smhdwMy])$/.exec(text);
  const amount = Number(match?.[1]);
  if (!match || amount === 0) return undefined;
  return { amount, unit: DURATION_UNITS[match[2] as keyof typeof DURATION_UNITS] };
}

/** `8d` for 8 days. */
export function formatDuration({ amount, unit }: Duration): string {
  const letter = Object.entries(DURATION_UNITS).find(([, name]) => name === unit)?.[0];
  return `${amount}${letter}`;
}

const AGE_UNITS = { d: DAY, h: HOUR, m: MINUTE };

/** About so long, rounded down, as a `<duration>` is written: `45s`, `12m`, `26h`, `5d`. */
export function formatAge(ms: number): string {
  const [letter, unit] = Object.entries(AGE_UNITS).find(([, length]) => ms >= 2 * length) ?? ["s", 1000];
  return `${Math.max(0, Math.floor(ms / unit))}${letter}`;
}

const FIXED_MS: Partial<Record<DurationUnit, number>> = { seconds: 1000, minutes: MINUTE, hours: HOUR, days: DAY, weeks: 7 * DAY };

/** Milliseconds of a duration of fixed length; undefined for months and years. */
export function durationMs(duration: Duration): number | undefined {
  const unit = FIXED_MS[duration.unit];
  return unit === undefined ? undefined : unit * duration.amount;
}

/** Also of months and years, at their mean length: to compare durations. */
export function approximateMs(duration: Duration): number {
  const months = duration.unit === "years" ? 12 : 1;
  return durationMs(duration) ?? duration.amount * months * MEAN_MONTH;
}

const MEAN_MONTH = (365.2425 / 12) * DAY;
