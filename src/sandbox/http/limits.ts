import { DAY, MINUTE } from "../../time/local-time.ts";
import { INTERVALS } from "../../base/intervals.ts";
import { NETWORKS, QUOTAS } from "../../base/vocabulary.ts";
import type { DataRequest, StepWindow } from "./request.ts";
import { refuse } from "../refusal.ts";

export type SandboxPlan = "none" | "community" | "academic";

/** A request may be early by this share of the gap, because timers may fire a little early. */
const TOLERANCE = 0.1;

/** Enforces the rate limit and the daily quota of the key. */
export class KeyUse {
  readonly plan: SandboxPlan;
  readonly #now: () => number;
  #day = 0;
  #usedToday = 0;
  #tokens: number;
  #refilledAt: number;

  constructor(plan: SandboxPlan, now: () => number) {
    this.plan = plan;
    this.#now = now;
    this.#refilledAt = now();
    this.#tokens = plan === "none" ? Number.POSITIVE_INFINITY : QUOTAS[plan].perSecond;
  }

  /** By the sandbox's clock, so that one that waits by the same clock is never too quick. */
  checkRate(): void {
    if (this.plan === "none") return;
    const { perSecond } = QUOTAS[this.plan];
    const at = this.#now();
    // A clock may go back.
    this.#tokens = Math.min(perSecond, this.#tokens + (Math.max(0, at - this.#refilledAt) / 1000) * perSecond);
    this.#refilledAt = at;
    if (this.#tokens < 1 - TOLERANCE)
      throw refuse(429, `Rate limit exceeded: ${perSecond} requests a second.`, { "retry-after": "1" });
    this.#tokens -= 1;
  }

  /** Throws the same 401 for a spent quota as for a bad token. */
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
}

/** Enforces a plan's limits on the window of a request. */
export function checkWindow(
  plan: SandboxPlan,
  { network, interval }: DataRequest,
  { window, now }: { window: StepWindow; now: number },
): void {
  if (plan === "none") return;
  const days = INTERVALS[interval].maxDays[plan === "community" ? "community" : "paid"];
  // Compared in complete days: 8 days and 23 hours count as 8.
  if (Math.floor((window.end - window.start) / DAY) > days) {
    throw refuse(400, `Date range too large for ${interval} interval. Maximum range is ${days} days.`);
  }
  const { historyDays } = QUOTAS[plan];
  const today = now + NETWORKS[network].offsetMinutes * MINUTE;
  if (window.start < today - historyDays * DAY) {
    throw refuse(400, `Date start is too far in the past. Your plan allows data from the last ${historyDays} days.`);
  }
}
