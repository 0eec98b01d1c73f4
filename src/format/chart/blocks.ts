/** Stacks in block characters: eight parts of a cell, one above the other, in at most two colours. */

export const PARTS = 8;
/** The owner of a part that no series covers. */
export const NOBODY = -1;

const LOWER = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** A cell whose lower `split` parts are one series' and whose others are another's. */
export interface Block {
  readonly split: number;
  readonly lower: number;
  readonly upper: number;
}

/** The cell most like the owners of its parts, given from the lowest. */
export function pickBlock(owners: ArrayLike<number>): Block {
  const first = findMost(owners, 0, PARTS);
  let best: Block & { readonly covered: number } = { split: PARTS, lower: first.owner, upper: NOBODY, covered: first.count };
  for (let split = 1; split < PARTS && best.covered < PARTS; split++) {
    const lower = findMost(owners, 0, split);
    const upper = findMost(owners, split, PARTS);
    const covered = lower.count + upper.count;
    if (covered > best.covered) best = { split, lower: lower.owner, upper: upper.owner, covered };
  }
  return best;
}

/** Who has most of the parts. */
export function findMost(owners: ArrayLike<number>, from: number, to: number): { readonly owner: number; readonly count: number } {
  let most = { owner: owners[from] as number, count: 0 };
  for (let start = from; start < to; start++) {
    const owner = owners[start] as number;
    if (owner === most.owner && most.count > 0) continue;
    let count = 0;
    for (let at = start; at < to; at++) if (owners[at] === owner) count++;
    if (count > most.count) most = { owner, count };
  }
  return most;
}

/** The character whose lower `split` parts are drawn. */
export function toLowerBlock(split: number): string {
  return LOWER[split] ?? "█";
}

/** The nearest character whose upper parts are drawn, above `split` that are not. */
export function toUpperBlock(split: number): string {
  if (split <= 2) return "█";
  return split <= 5 ? "▀" : split < PARTS ? "▔" : " ";
}
