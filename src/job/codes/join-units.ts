/** `--with`: what a list says of a unit, for the rows of its series. */
import { UNIT_LABEL } from "../../base/vocabulary.ts";
import type { Facility } from "../../codes/facility.ts";
import { tabulateUnits } from "../../codes/tables.ts";
import type { Join, JoinedColumn } from "../../series/layout/join.ts";

interface Joining {
  /** Of `JOINED_COLUMNS`. */
  readonly columns: readonly string[];
  /** Should another one have a unit of the same code, this one's counts. */
  readonly network: string;
}

export function createJoin(facilities: readonly Facility[], { columns, network }: Joining): Join {
  const ordered = facilities.toSorted((a, b) => Number(a.network === network) - Number(b.network === network));
  const units = new Map<unknown, ReturnType<Join["cellsOf"]>>(
    tabulateUnits(ordered).entries.map(({ item: { code, cells } }) => [code, columns.map((column) => cells[column] ?? null)]),
  );
  const unknown = columns.map(() => null);
  return {
    columns: columns.map(describeColumn),
    cellsOf: (labels) => (Object.hasOwn(labels, UNIT_LABEL) && units.get(labels[UNIT_LABEL])) || unknown,
  };
}

function describeColumn(name: string): JoinedColumn {
  return { name, kind: "text", ...(name === "capacity" ? { isNumber: true, unit: "MW" } : {}) };
}
