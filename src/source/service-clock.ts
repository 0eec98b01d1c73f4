/** Compares this machine's clock with the service's. */
import { formatMinute, HOUR } from "../time/local-time.ts";

/** Clocks differ by more than this, and by more than a cache of the service explains. */
const TOLERANCE = HOUR;

export class ServiceClock {
  readonly #now: () => number;
  /** Milliseconds by which the service's clock is ahead, by its `Date` header; undefined without one. */
  #ahead: number | undefined;
  /** The least by which it is ahead, as a response cannot come from the future. */
  #least = 0;

  /** `now`: this machine's clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** `serviceTime`: the service's clock when it sent a response that has just arrived. */
  observe(serviceTime: number | undefined): void {
    if (serviceTime !== undefined) this.#ahead ??= serviceTime - this.#now();
  }

  /** `created`: `created_at` of a response, which may have been stored since. */
  observeCreated(created: number): void {
    this.#least = Math.max(this.#least, created - this.#now());
  }

  /** Milliseconds to add to this machine's clock; 0 if the two clocks agree, or nothing is known. */
  get correction(): number {
    const ahead = this.#ahead ?? this.#least;
    return Math.abs(ahead) > TOLERANCE ? ahead : 0;
  }

  /** Message that the clocks differ; undefined if they do not. */
  get problem(): string | undefined {
    if (this.correction === 0) return undefined;
    const now = this.#now();
    const [own, others] = [formatMinute(now), formatMinute(now + this.correction)];
    return `this machine's clock says ${own} UTC, the service's ${others} UTC: relative dates and --complete may be off; set the clock`;
  }
}

/** The service's clock when it sent a response, by its headers, in milliseconds since 1970 UTC. */
export function readServiceTime(header: (name: string) => string | undefined): number | undefined {
  const date = Date.parse(header("date") ?? "");
  // A cache keeps the date of the response, and says how old it is.
  const age = Number(/^\d{1,9}$/.exec(header("age")?.trim() ?? "0")?.[0]);
  return Number.isNaN(date + age) ? undefined : date + 1000 * age;
}
