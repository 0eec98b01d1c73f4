/** Tells what comes late from what is missing. */
import { ROOFTOP_REACH } from "../base/provisional.ts";
import { valueAt } from "./point-operations.ts";
import type { Points } from "./points.ts";

/**
 * True for an instant without a value that has one at most two hours before or after, as rooftop solar that comes late,
 * or by the half hour. The function takes instants in order.
 */
export function createFindLate(
  points: Points,
  onLate?: (instant: number, isInside: boolean) => void,
): (instant: number) => boolean {
  const known = [...points.instants].filter((_, index) => valueAt(points, index) !== null);
  let next = 0;
  return (instant) => {
    while ((known[next] ?? instant) < instant) next++;
    const [last, first] = [known[next - 1] ?? Number.NEGATIVE_INFINITY, known[next] ?? Number.POSITIVE_INFINITY];
    if (first === instant || (instant - last > ROOFTOP_REACH && first - instant > ROOFTOP_REACH)) return false;
    onLate?.(instant, Number.isFinite(first));
    return true;
  };
}
