/** Milliseconds since 1970 UTC. */
export type Instants = readonly number[] | Float64Array;

export const NO_POINTS: Points = { stamps: [], instants: [], values: [] };

/** The points of one series, as columns of equal length, ordered by instant; equal instants keep the service's order. */
export interface Points {
  /** Timestamps as the service sent them. */
  readonly stamps: readonly string[];
  /** Timestamps in milliseconds since 1970 UTC. */
  readonly instants: Instants;
  /** Values as JSON text, digit for digit (`40.00`); null where the service sent null. */
  readonly values: readonly (string | null)[];
}
