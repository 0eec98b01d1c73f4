/** What people call intervals. */
import { findRule, type Interval } from "../base/intervals.ts";
import { DAY, type LocalTime } from "./local-time.ts";

const HALF_DAY = DAY / 2;
const SEASONS = ["autumn", "winter", "spring", "summer"];

/** True for intervals that have names of their own, as their timestamps say little. */
export function isNamed(interval: Interval | undefined): boolean {
  return interval === "fy" || interval === "season" || interval === "3M";
}

/**
 * `FY2025`, which ends in June 2025; `autumn 2025`, by the months that the service puts into it; `summer 2024-25` over
 * New Year; `2025 Q1`. Undefined for what is named by its date. `wall`: the timestamp on any wall clock.
 */
export function nameInterval(interval: Interval | undefined, wall: LocalTime): string | undefined {
  if (!isNamed(interval)) return undefined;
  // The clock of another zone may show the day before.
  const date = new Date(wall + HALF_DAY);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (interval === "fy") return `FY${month < 6 ? year : year + 1}`;
  if (date.getUTCDate() !== 1) return undefined;
  if (interval === "3M" && month % 3 === 0) return `${year} Q${month / 3 + 1}`;
  if (interval === "3M" || month % 3 === 1) return undefined;
  const season = SEASONS[Math.floor(month / 3)];
  // A service that dates seasons by their first day.
  return month === 11 ? `${season} ${year}-${String((year + 1) % 100).padStart(2, "0")}` : `${season} ${year}`;
}

/** The name of an interval, or as much of its date as it needs: `2025`, `2025-01`, `2025-01-31`, `2025-01-31 14:05`. */
export function printName(interval: Interval | undefined, wall: LocalTime): string {
  const name = nameInterval(interval, wall);
  if (name !== undefined) return name;
  const iso = new Date(wall).toISOString();
  const rule = interval && findRule(interval);
  const isDay = wall % DAY === 0 && rule !== undefined && (!("ms" in rule) || rule.ms >= DAY);
  if (!isDay)
    return iso
      .slice(0, iso.endsWith(":00.000Z") ? "2025-01-31T14:05".length : "2025-01-31T14:05:00".length)
      .replace("T", " ");
  const isMonth = "months" in rule && iso.slice(8, 10) === "01";
  return iso.slice(0, isMonth ? (rule.months === 12 && iso.slice(5, 7) === "01" ? 4 : 7) : 10);
}
