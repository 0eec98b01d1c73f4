import { DAY } from "../../time/local-time.ts";
import { type Interval, INTERVALS, NETWORKS, QUOTAS } from "../../base/vocabulary.ts";
import type { DataRequest } from "../request/request.ts";
import type { Window } from "../request/window.ts";
import { refuse } from "../refusal.ts";

export type SandboxPlan = "none" | "community" | "academic";

/** Timers fire a little early: a request may be early by this share of the gap. */
const TOLERANCE = 0.1;
const MINUTE = 60_000;

/** in-practice.md, "Windows": the public service has no limit for fy and falls back to a week, on every plan. */
export function findMaxDays(interval: Interval, kind: "community" | "paid"): number {
  return interval === "fy" ? 7 : INTERVALS[interval].maxDays[kind];
}

/** A key's limits (in-practice.md, "Windows" and "Quota") and their use. */
export class Limits {
  readonly plan: SandboxPlan;
  readonly #now: () => number;
  #day = 0;
  #usedToday = 0;
  #tokens: number;
  #refilledAt = performance.now();

  constructor(plan: SandboxPlan, now: () => number) {
    this.plan = plan;
    this.#now = now;
    this.#tokens = plan === "none" ? Number.POSITIVE_INFINITY : QUOTAS[plan].perSecond;
  }

  /** In real time, whatever the clock of the data. */
  checkRate(): void {
    if (this.plan === "none") return;
    const { perSecond } = QUOTAS[this.plan];
    const at = performance.now();
    this.#tokens = Math.min(perSecond, this.#tokens + ((at - this.#refilledAt) / 1000) * perSecond);
    this.#refilledAt = at;
    if (this.#tokens < 1 - TOLERANCE) throw refuse(429, `Rate limit exceeded: ${perSecond} requests a second.`, { "retry-after": "1" });
    this.#tokens -= 1;
  }

  /** A spent quota looks like a bad token. */
  spendQuota(): void {
    if (this.plan === "none") return;
    if (this.remaining === 0) throw refuse(401, "Authentication failed");
    this.#usedToday++;
  }

  /** Requests left today (UTC); null without a limit. */
  get remaining(): number | null {
    if (this.plan === "none") return null;
    const today = Math.floor(this.#now() / DAY);
    if (today !== this.#day) this.#usedToday = 0;
    this.#day = today;
    return Math.max(0, QUOTAS[this.plan].perDay - this.#usedToday);
  }

  /** When the quota resets, UTC. */
  get resetsAt(): string {
    return new Date((Math.floor(this.#now() / DAY) + 1) * DAY).toISOString();
  }

  checkWindow(request: DataRequest, window: Window): void {
    if (this.plan === "none") return;
    const days = findMaxDays(request.interval, this.plan === "community" ? "community" : "paid");
    if (window.end - window.start > days * DAY) {
      throw refuse(400, `Date range too large for ${request.interval} interval. Maximum range is ${days} days.`);
    }
    const { historyDays } = QUOTAS[this.plan];
    const today = this.#now() + NETWORKS[request.network].offsetMinutes * MINUTE;
    if (request.dateStart !== undefined && request.dateStart < today - historyDays * DAY) {
      throw refuse(400, `Date start is too far in the past. Your plan allows data from the last ${historyDays} days.`);
    }
  }
}
