/** The cells of an output that is updated, and what is asked for in them. */
import type { ResponseFolder, StoredCellResponse } from "../../store/response-folder.ts";
import { type CellQuery, type Grid, layCells, type Cell } from "../../store/cells.ts";
import type { Asked, Reason } from "../../store/journal.ts";
import { beginsLate, type Entry, isSweeping, listAsked } from "../../store/rules.ts";
import { readWindow } from "../../plan/request-path.ts";
import { approximateMs } from "../../time/duration.ts";
import type { MissingPlan, Prepared } from "../prepared.ts";

export type StoredCell = Cell<StoredCellResponse>;

/** What a run knows of its cells before it asks for any. */
export interface OpenCells {
  readonly query: CellQuery;
  /** Number of the last run that finished; -1 before the first. */
  readonly finished: number;
  /** True if this run finds out how time is to be cut: nothing is stored that fixes it. */
  readonly learns: boolean;
  /** The cells by their spans, in order of time, as they are stored now. */
  readonly lay: (grid: Grid) => StoredCell[][];
  /** What is still to be asked for. */
  readonly list: (state: Readonly<AskState>) => Entry<StoredCellResponse>[];
  /** True if all older responses are being rechecked, 50 a run, since one has changed. */
  readonly isSweeping: (state: Readonly<AskState>) => boolean;
}

/** How time is cut, and the list of what a run has asked for, which grows. */
export interface AskState {
  grid: Grid;
  asked: Asked[];
}

type Updating = Prepared & { readonly folder: ResponseFolder };

/** `now`: milliseconds since 1970 UTC. */
export function openCells(
  { query: of, update, keyLimits, folder, options: { revise, recheck } }: Updating,
  now: number,
): OpenCells {
  const { journal, run } = folder;
  const query = of as CellQuery;
  // A journal that is lost is made again from what is stored.
  const finished = journal.last?.run ?? (update?.described ? run - 1 : -1);
  // What was too old for the plan is asked for again once the plan is another, or with `--recheck all`.
  const isReachable = (cell: StoredCell) =>
    recheck === "all" || journal.outOfReach.get(cell.name) !== keyLimits.plan || beginsLate(cell, query);
  let laid: { readonly of: number; readonly grid: Grid; readonly cells: StoredCell[][] } | undefined;
  const lay = (grid: Grid) => {
    if (laid?.of !== folder.revision || laid.grid !== grid)
      laid = { of: folder.revision, grid, cells: layCells(query, { grid, now, stored: folder.cells }) };
    return laid.cells;
  };
  const listReachable = (grid: Grid) => lay(grid).flat().filter(isReachable);
  const facts = { query, finished, journal, run, now, reviseMs: approximateMs(revise), recheck };
  return {
    query,
    finished,
    learns: journal.last === undefined && (!update?.described || folder.cells.length === 0),
    lay,
    list: ({ grid, asked }) => listAsked(listReachable(grid), { ...facts, asked }),
    isSweeping: ({ grid, asked }) => isSweeping(listReachable(grid), { journal, run, asked }),
  };
}

/** Nothing has been asked for yet. */
export function startAsking({ update }: Pick<Prepared, "update">): AskState {
  return { grid: (update as NonNullable<Prepared["update"]>).grid, asked: [] };
}

/** Forgets that cells without a response were asked for. */
export function forgetLost(state: AskState, { lay }: OpenCells): void {
  const stored = new Set(
    lay(state.grid).flatMap((cells) => cells.flatMap(({ name, responses }) => (responses.length > 0 ? name : []))),
  );
  state.asked = state.asked.filter(({ name }) => stored.has(name));
}

/** The requests of an update, with their reasons. */
export function planUpdate(prepared: Updating, now: number): MissingPlan {
  const cells = openCells(prepared, now);
  const state = startAsking(prepared);
  const entries = cells.list(state);
  const names = new Set(entries.map(({ cell }) => cell.name));
  const windows = entries.map(({ cell }) => ({ window: readWindow(cell.request.path), requests: [cell.request] }));
  const starts = entries.flatMap(({ cell, reason }) =>
    isDecisive(reason) ? (readWindow(cell.request.path).start ?? []) : [],
  );
  const atHand = cells
    .lay(state.grid)
    .flat()
    .filter(({ name, responses }) => responses.length > 0 && !names.has(name)).length;
  const reasons = new Map(entries.map(({ cell, reason }) => [cell.request.path, reason]));
  return { ...prepared.plan, windows, atHand, reasons, from: starts.length === 0 ? undefined : Math.min(...starts) };
}

/** True if the run fails where the service does. */
export function isDecisive(reason: Reason): boolean {
  return reason === "missing" || reason === "open";
}

/** The number of older responses that were asked for again, and received. */
export function countRechecked(asked: readonly Pick<Asked, "reason" | "outcome">[]): number {
  return asked.filter(({ reason, outcome }) => !isDecisive(reason) && (outcome === "same" || outcome === "changed"))
    .length;
}
