/**
 * What an update asks for again, and why: all the rules, in order. Pure. Being on the list never makes a stored
 * response unusable.
 *
 * 1. missing: no response answers all of the cell.
 * 2. open: received before the cell's end plus `--revise`. What a run that failed received is used, if the cell was
 *    over.
 * 3. another form: units, timestamps or labels are not those that the service sends now (`findOldForms`); at most 50 a
 *    run.
 * 4. unconfirmed: the newest response lacks values that an older one has; asked for six hours after the first that did.
 * 5. recheck: `--recheck` more, since services correct old years and a first night may have been a bad one. First those
 *    that lack a series, or fill gaps in another way than the newest cell; then those never rechecked; then those
 *    rechecked longest ago. If one has changed, 50 a run are, until every cell was asked for since.
 *
 * Only missing and open cells decide how a run ends: what else the service refuses stays as it is.
 */
import { HOUR } from "../time/local-time.ts";
import { isOtherForm } from "./response-facts.ts";
import { type CellResponse, type CellQuery, endOfCell, type Cell } from "./cells.ts";
import type { Asked, Journal, Reason } from "./journal.ts";
import { CONFIRM_AFTER, listLayers } from "./layers.ts";

export interface Entry<T extends CellResponse = CellResponse> {
  readonly cell: Cell<T>;
  readonly reason: Reason;
}

export interface RunFacts {
  readonly query: CellQuery;
  readonly journal: Pick<Journal, "last" | "checked" | "refused" | "found" | "lacking">;
  /** Number of this run, and of the last one that finished. */
  readonly run: number;
  readonly finished: number;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly reviseMs: number;
  readonly recheck: number | "all";
  /** By this run. */
  readonly asked: readonly Asked[];
}

/** A tenth of a community key's daily quota. */
const MOST = 50;

/** What is still to be asked for, in this order. */
export function listAsked<T extends CellResponse>(cells: readonly Cell<T>[], facts: RunFacts): Entry<T>[] {
  const { asked, recheck, run, finished, journal } = facts;
  const names = new Set(asked.map(({ name }) => name));
  const latest = findLatest(cells);
  const oldForms = findOldForms(cells, journal);
  const entries = cells
    .map((cell) => ({ cell, reason: findReason(cell, oldForms, facts) }))
    .filter(({ cell }) => !names.has(cell.name));
  const countLeft = (most: number, reason: Reason) =>
    Math.max(0, most - asked.filter((entry) => entry.reason === reason).length);
  const of = (reason: Reason) => entries.filter((entry) => entry.reason === reason);
  const all = recheck === "all";
  const countRefusals = ({ cell }: Entry) => Number(journal.refused.has(cell.name));
  const forms = of("another form")
    .toSorted((a, b) => countRefusals(a) - countRefusals(b))
    .slice(0, all ? cells.length : countLeft(MOST, "another form"));
  const most = all ? cells.length : recheck > 0 && isSweeping(cells, facts) ? Math.max(MOST, recheck) : recheck;
  // What a run that failed has received was not there before. Halves of a cell may be this run's.
  const known = of("recheck").filter(({ cell }) => (cell.responses[0]?.run ?? 0) <= (all ? run - 1 : finished));
  const rechecks = sortRechecks(known, latest, facts).slice(0, countLeft(most, "recheck"));
  return [...forms, ...of("missing"), ...of("open"), ...of("unconfirmed"), ...rechecks];
}

function findReason(cell: Cell, oldForms: ReadonlySet<Cell>, facts: RunFacts): Reason {
  const { query, journal, finished, now, reviseMs } = facts;
  const [newest] = listLayers(cell.responses);
  if (!newest || beginsLate(cell, query) || isFromFuture(newest, now)) return "missing";
  const isOpen = newest.receivedAt < endOfCell(cell, query) + (newest.run <= finished ? reviseMs : 0);
  if (isOpen) return "open";
  if (oldForms.has(cell)) return "another form";
  const firstThatLacks = cell.responses.at(-2);
  const isDue = firstThatLacks && now - firstThatLacks.receivedAt >= CONFIRM_AFTER;
  return isDue && !journal.refused.has(cell.name) ? "unconfirmed" : "recheck";
}

/** True if a clock was wrong when a response came. `now`: milliseconds since 1970 UTC. */
export function isFromFuture({ receivedAt }: Pick<CellResponse, "receivedAt">, now: number): boolean {
  return receivedAt > now + HOUR;
}

/** True if the newest response of a cell begins after its start. */
export function beginsLate({ from, responses }: Cell, { window }: CellQuery): boolean {
  const start = Math.max(from, window.start);
  return (listLayers(responses)[0]?.window.start ?? start) > start;
}

/** The newest response of the latest cell with values. */
export function findLatest<T extends CellResponse>(cells: readonly Cell<T>[]): T | undefined {
  const newest = cells.map(({ responses }) => listLayers(responses)[0]);
  return newest.findLast((response) => (response?.facts.values ?? 0) > 0);
}

/**
 * The cells whose responses were received before the service changed their form. It may also have several forms, each
 * for a part of time: what one run has received, or the last output has, is accepted.
 */
export function findOldForms<T extends CellResponse>(
  cells: readonly Cell<T>[],
  { last }: Pick<Journal, "last">,
): ReadonlySet<Cell<T>> {
  const finished = last?.run ?? -1;
  const latest = findLatest(cells);
  if (!latest) return new Set();
  const before = findLatest(
    cells.map((cell) => ({ ...cell, responses: cell.responses.filter(({ run }) => run <= finished) })),
  );
  const isOther = (response: CellResponse | undefined) =>
    response !== undefined && isOtherForm(response.facts.form, latest.facts.form);
  const hasChanged = !before || isOther(before);
  const newestOf = ({ responses }: Cell<T>) => listLayers(responses)[0];
  const runOf = (cell: Cell<T>) => newestOf(cell)?.run ?? 0;
  const others = cells.filter((cell) => isOther(newestOf(cell)));
  const received = others.filter((cell) => runOf(cell) > finished);
  // Whether the latest cell still has its form is asked for first.
  const isLatestOld = received.some((cell) => runOf(cell) > latest.run);
  const older = (hasChanged ? others : received).filter((cell) => runOf(cell) < latest.run);
  return new Set(isLatestOld ? cells.filter((cell) => newestOf(cell) === latest) : older);
}

/** True if a recheck has found a change, and some cell has not been asked for since. */
export function isSweeping(
  cells: readonly Cell[],
  { journal, run, asked }: Pick<RunFacts, "journal" | "run" | "asked">,
): boolean {
  const found = asked.some(({ reason, outcome }) => reason === "recheck" && outcome === "changed")
    ? run
    : journal.found;
  const names = new Set(asked.map(({ name }) => name));
  return cells.some(
    ({ name, responses }) =>
      !names.has(name) && Math.max(journal.checked.get(name) ?? 0, responses[0]?.run ?? 0) < found,
  );
}

function sortRechecks<T extends CellResponse>(
  entries: readonly Entry<T>[],
  latest: CellResponse | undefined,
  { journal }: RunFacts,
): Entry<T>[] {
  const isOdd = ({ name, responses: [newest] }: Cell) =>
    journal.lacking.has(name) ||
    (newest?.facts.fills ?? latest?.facts.fills) !== (latest?.facts.fills ?? newest?.facts.fills);
  const rank = ({ cell }: Entry<T>) => journal.checked.get(cell.name) ?? (isOdd(cell) ? -1 : 0);
  return entries.toSorted(
    (a, b) => rank(a) - rank(b) || (a.cell.responses[0]?.receivedAt ?? 0) - (b.cell.responses[0]?.receivedAt ?? 0),
  );
}
