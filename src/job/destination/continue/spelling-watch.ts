import { lowerBound, stampAt } from "../../../series/point-operations.ts";
import type { KeyedSeries } from "../../../series/keyed.ts";
import { findSuffix } from "../../../time/stamp.ts";
import { findLast } from "../../package/kept.ts";
import type { KeptRows } from "./gap-watch.ts";
import { findKnownOffset } from "./network-clock.ts";

/** How timestamps end that came, against those that are kept. */
export class SpellingWatch {
  /** The newest timestamp that is kept, and how it ends; undefined where nothing tells it. */
  readonly #last: number;
  readonly #suffix: string | undefined;
  /** How it ends now, or the newest one, by series. */
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

  /** Why those that are kept cannot stay; undefined where they can. */
  get problem(): string | undefined {
    const suffixes = [...this.#suffixes.values()];
    // Series may differ.
    if (suffixes.length === 0 || suffixes.some((suffix) => suffix === this.#suffix)) return undefined;
    return `timestamps now end in ${suffixes[0]}, not in ${this.#suffix}`;
  }
}
