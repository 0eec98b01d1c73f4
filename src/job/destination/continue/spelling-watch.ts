import { lowerBound, stampAt } from "../../../series/point-operations.ts";
import type { KeyedSeries } from "../../../series/keyed.ts";
import { findSuffix } from "../../../time/stamp.ts";
import { findLast } from "../../package/kept.ts";
import type { KeptRows } from "./gap-watch.ts";
import { findKnownOffset } from "./network-clock.ts";

/** Compares how the new timestamps end (`Z`, `+10:00`) with the kept ones. */
export class SpellingWatch {
  /** The instant of the newest kept timestamp, and how it ends; undefined if unknown. */
  readonly #last: number;
  readonly #suffix: string | undefined;
  /** How the timestamp of that instant ends now, or else the newest one, by series. */
  readonly #suffixes = new Map<string, string>();

  constructor({ series, stampSuffix }: Pick<KeptRows["descriptor"], "series" | "stampSuffix">) {
    this.#last = findLast(series);
    this.#suffix = stampSuffix;
  }

  /** Points of a series, later than those before. */
  add({ key, item: { network }, series: { points } }: KeyedSeries): void {
    if (this.#suffix === undefined) return;
    const index = Math.min(lowerBound(points, this.#last), points.instants.length - 1);
    const suffix = findSuffix(stampAt(points, index));
    if (suffix === undefined) return;
    // A network that ents does not know may have daylight saving, and other offsets at other times.
    const isSame = points.instants[index] === this.#last && (suffix === "Z") !== (this.#suffix === "Z");
    if (suffix === this.#suffix || isSame || findKnownOffset(network) !== undefined) this.#suffixes.set(key, suffix);
  }

  /** Why the kept rows cannot stay; undefined where they can. */
  get problem(): string | undefined {
    const suffixes = [...this.#suffixes.values()];
    // Series may differ from each other: one that ends as before is enough.
    if (suffixes.length === 0 || suffixes.some((suffix) => suffix === this.#suffix)) return undefined;
    return `timestamps now end in ${suffixes[0]}, not in ${this.#suffix}`;
  }
}
