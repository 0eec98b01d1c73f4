/** Whether a service fills gaps with nulls, as far as its responses and its version show. */
import type { Interval } from "../base/intervals.ts";
import { isGapFilling } from "../base/vocabulary.ts";
import type { KnownResponse } from "./decoded-response.ts";
import { findGapSigns } from "./intervals/grid.ts";

/** What the heading of a stored response says of gaps. */
interface ResponseSigns {
  readonly fills?: boolean | undefined;
  readonly version?: string | undefined;
  readonly form: { readonly units: Readonly<Record<string, string>> };
}

export class GapEvidence {
  readonly #interval: Interval | undefined;
  /** What responses show; undefined if none shows it. */
  shown: boolean | undefined;
  /** Whether the versions of all responses are of a service that is known to fill gaps; undefined without responses. */
  #isKnownToFill: boolean | undefined;

  /** `interval`: of the query; if undefined, that of each TimeSeries is used. */
  constructor(interval?: Interval) {
    this.#interval = interval;
  }

  /** True if the service fills gaps; undefined until a response shows whether it does, or its version is known to. */
  get fills(): boolean | undefined {
    return this.shown ?? (this.#isKnownToFill || undefined);
  }

  /** True if only the version says that it fills gaps. */
  get isAssumed(): boolean {
    return this.shown === undefined && this.fills === true;
  }

  /**
   * Learns from a response: a missing interval proves that gaps are not filled; otherwise a null shows that they are.
   */
  observe({
    envelope,
    timeSeries,
    whole = timeSeries,
  }: Pick<KnownResponse, "timeSeries" | "whole"> & Partial<Pick<KnownResponse, "envelope">>): void {
    const version = timeSeries.length === 0 ? undefined : envelope?.["version"];
    if (typeof version === "string") this.#isKnownToFill = (this.#isKnownToFill ?? true) && isGapFilling(version);
    if (this.shown === false) return;
    const { hasMissingInterval, hasNull } = findGapSigns(whole, this.#interval);
    if (hasMissingInterval) this.shown = false;
    else if (hasNull) this.shown ??= true;
  }

  /** Learns from what the heading of a stored response says. */
  observeSummary({ fills, version, form }: ResponseSigns): void {
    if (version !== undefined && Object.keys(form.units).length > 0)
      this.#isKnownToFill = (this.#isKnownToFill ?? true) && isGapFilling(version);
    if (fills !== undefined) this.shown = fills && this.shown !== false;
  }

  /** Takes what an earlier response showed, where none of these does. */
  assume(fillsGaps: boolean | undefined): void {
    this.shown ??= fillsGaps;
  }
}
