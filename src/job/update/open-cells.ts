/** The cells of an output that is updated, and what is asked for in them. */
import type { AnswerFolder, KeptCell } from "../../kept/answer-folder.ts";
import { type CellQuery, type Grid, layCells, type Place } from "../../kept/cells.ts";
import type { Asked, Reason } from "../../kept/journal.ts";
import { beginsLate, type Entry, isSweeping, listAsked } from "../../kept/rules.ts";
import { readWindow } from "../../plan/request-path.ts";
import { approximateMs } from "../../time/duration.ts";
import type { MissingPlan, Prepared } from "../prepared.ts";

export type KeptPlace = Place<KeptCell>;

export interface OpenCells {
  readonly query: CellQuery;
  readonly grid: Grid;
  /** Number of the last run that finished; -1 before the first. */
  readonly finished: number;
  /** True if this run finds out how time is to be cut: nothing is stored that fixes it. */
  readonly learns: boolean;
  /** What this run has asked for. */
  readonly asked: Asked[];
  /** The cells in order of time, each with its places. */
  lay(): KeptPlace[][];
  /** Forgets that places without a response were asked for. */
  forgetLost(): void;
  /** Cuts time in another way, as the first run has learned. */
  regrid(grid: Grid): void;
  /** True if all older responses are being rechecked, 50 a run, since one has changed. */
  isSweeping(): boolean;
  /** What is still to be asked for. */
  list(): Entry<KeptCell>[];
}

type Updating = Prepared & { readonly folder: AnswerFolder };

/** `now`: milliseconds since 1970 UTC. */
export function openCells(
  {
    query,
    update,
    keyLimits,
    folder,
    options: { revise, recheck },
  }: Pick<Updating, "query" | "update" | "keyLimits" | "options" | "folder">,
  now: number,
): OpenCells {
  const { grid, described } = update as NonNullable<Prepared["update"]>;
  const { journal, run } = folder;
  // What was too old for the plan is asked for again once the plan is another, or with `--recheck all`.
  const isReachable = (place: KeptPlace) =>
    recheck === "all" || journal.outOfReach.get(place.name) !== keyLimits.plan || beginsLate(place, cells.query);
  const listReachable = () => cells.lay().flat().filter(isReachable);
  let laid: { readonly of: number; readonly grid: Grid; readonly places: KeptPlace[][] } | undefined;
  const cells = {
    query: query as CellQuery,
    grid,
    // A journal that is lost is made again from what is stored.
    finished: journal.last?.run ?? (described ? run - 1 : -1),
    learns: journal.last === undefined && (!described || folder.cells.length === 0),
    asked: [] as Asked[],
    forgetLost: () => {
      const stored = new Set(cells.lay().flatMap((places) => places.flatMap(({ name, answers }) => (answers.length > 0 ? name : []))));
      cells.asked = cells.asked.filter(({ name }) => stored.has(name));
    },
    regrid: (learned: Grid) => {
      cells.grid = learned;
      cells.asked = [];
    },
    lay: () => {
      if (laid?.of !== folder.revision || laid.grid !== cells.grid)
        laid = { of: folder.revision, grid: cells.grid, places: layCells(cells.query, { grid: cells.grid, now, kept: folder.cells }) };
      return laid.places;
    },
    isSweeping: () => isSweeping(listReachable(), { journal, run, asked: cells.asked }),
    list: () => listAsked(listReachable(), { ...cells, journal, run, now, reviseMs: approximateMs(revise), recheck }),
  };
  return cells;
}

/** The requests of an update, with their reasons. */
export function planUpdate(prepared: Updating, now: number): MissingPlan {
  const cells = openCells(prepared, now);
  const entries = cells.list();
  const names = new Set(entries.map(({ place }) => place.name));
  const windows = entries.map(({ place }) => ({ window: readWindow(place.request.path), requests: [place.request] }));
  const starts = entries.flatMap(({ place, reason }) => (isDecisive(reason) ? (readWindow(place.request.path).start ?? []) : []));
  const atHand = cells
    .lay()
    .flat()
    .filter(({ name, answers }) => answers.length > 0 && !names.has(name)).length;
  const reasons = new Map(entries.map(({ place, reason }) => [place.request.path, reason]));
  return { ...prepared.plan, windows, atHand, reasons, from: starts.length === 0 ? undefined : Math.min(...starts) };
}

/** True if the run fails where the service does. */
export function isDecisive(reason: Reason): boolean {
  return reason === "missing" || reason === "open";
}

/** The number of older responses that were asked for again, and received. */
export function countRechecked(asked: readonly Pick<Asked, "reason" | "outcome">[]): number {
  return asked.filter(({ reason, outcome }) => !isDecisive(reason) && (outcome === "same" || outcome === "changed")).length;
}
