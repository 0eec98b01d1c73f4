/** `--with`: what a list says of a unit, for the rows of its series. */
import { UNIT_LABEL } from "../../base/vocabulary.ts";
import type { Facility } from "../../codes/facility.ts";
import { NUMBERS, tabulateUnits } from "../../codes/tables.ts";
import type { Join, JoinedColumn } from "../../series/layout/layout.ts";

interface Joining {
  /** Names of `JOINED_COLUMNS`. */
  readonly columns: readonly string[];
  readonly network: string;
  /** The codes of the facilities that were asked for; empty for all. */
  readonly asked: readonly string[];
}

export function createJoin(facilities: readonly Facility[], { columns, network, asked }: Joining): Join {
  const unknown = columns.map(() => null);
  // Should several have a unit of a code: those that were asked for count before others, and the network's before another's.
  const rankOf = (one: Facility) => (asked.includes(one.code) ? 0 : 2) + (one.network === network ? 0 : 1);
  const units = new Map<unknown, { readonly rank: number; readonly cells: ReturnType<Join["cellsOf"]> }>();
  for (const facility of facilities) {
    const rank = rankOf(facility);
    for (const { item } of tabulateUnits([facility]).entries) {
      const known = units.get(item.code);
      if (known && known.rank < rank) continue;
      units.set(item.code, { rank, cells: known?.rank === rank ? unknown : columns.map((column) => item.cells[column] ?? null) });
    }
  }
  return {
    columns: columns.map(describeColumn),
    cellsOf: (labels) => (Object.hasOwn(labels, UNIT_LABEL) && units.get(labels[UNIT_LABEL])?.cells) || unknown,
  };
}

function describeColumn(name: string): JoinedColumn {
  const number = NUMBERS[name];
  return { name, kind: "text", ...(number && { isNumber: true, ...number }) };
}
