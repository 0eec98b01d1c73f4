/** Asks for the cells on the list, and stores the responses. */
import { EntsError, usageError } from "../../base/errors.ts";
import { formatCount } from "../../base/phrases.ts";
import { warnOnce } from "../../base/report.ts";
import { createBodyMask } from "../../base/shown-text.ts";
import { describeResponse } from "../../store/response-facts.ts";
import type { StoredCellResponse } from "../../store/response-folder.ts";
import { endOfCell, type Grid, halveCell, isSameGrid, planCell, reachedLocal } from "../../store/cells.ts";
import { comparePoints } from "../../store/compare.ts";
import { maskResponse } from "../../store/store-responses.ts";
import { CONFIRM_AFTER } from "../../store/layers.ts";
import type { Asked, Outcome, Reason } from "../../store/journal.ts";
import { type Entry, isFromFuture } from "../../store/rules.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { findLimits } from "../../plan/limits.ts";
import { latestInstant } from "../../plan/plan.ts";
import { readWindow } from "../../plan/request-path.ts";
import { isUnknown, type KnownResponse } from "../../series/decoded-response.ts";
import { freeBodies } from "../../series/merge.ts";
import { countValues } from "../../series/overlap.ts";
import { type CheckWindow, createWindowCheck } from "../../source/check-window.ts";
import { prefetch } from "../../source/prefetch.ts";
import type { Reading, Source } from "../../source/source.ts";
import { detectMaxWindow, type DetectedWindow, shorterThanInterval } from "../../source/windows.ts";
import { addDuration, approximateMs, type Duration } from "../../time/duration.ts";
import { formatShort } from "../../time/local-time.ts";
import type { Build } from "../build.ts";
import { isBeforeHistory } from "../failure.ts";
import { countResponses } from "../progress.ts";
import { noteCost } from "../quota.ts";
import { type AskState, isDecisive, type StoredCell, type OpenCells } from "./open-cells.ts";
import { readCell, trimToCell } from "./read-cells.ts";

/** Asks until nothing is left on the list. @throws {EntsError} for missing and open cells. */
export async function askCells(cells: OpenCells, state: AskState, build: Build): Promise<void> {
  const { progress, report } = build;
  const asker = new CellAsker(cells, build);
  for (let round = 0; ; round++) {
    const entries = cells.list(state).filter(({ reason }) => !asker.isDown || isDecisive(reason));
    if (entries.length === 0) break;
    const requests = entries.map(({ cell }) => cell.request);
    progress.plan({ windows: requests.map((request) => ({ window: readWindow(request.path), requests: [request] })) });
    if (round === 0) await noteCost(requests, build);
    for (const { cell, reason } of entries) report.detail(`${reason}: ${describeCell(cell)}`);
    // A first run learns from the first cells how time is to be cut.
    await asker.ask(cells.learns && round < LEARNING_ROUNDS ? entries.slice(0, 1) : entries, state);
  }
  await asker.finish();
}

const LEARNING_ROUNDS = 2;

class CellAsker {
  /** True once the service has not answered a request that does not decide how the run ends. */
  isDown = false;
  readonly #cells: OpenCells;
  readonly #build: Build;
  readonly #source: Source;
  readonly #check: CheckWindow;
  /**
   * The first failure of an open cell without values, and the names of all stored responses without values for cells
   * that had some.
   */
  #emptied: EntsError | undefined;
  readonly #doubted = new Set<string>();
  /** Places that stay as they are, by what the service says. */
  readonly #failures = new Map<string, StoredCell[]>();

  constructor(cells: OpenCells, build: Build) {
    this.#cells = cells;
    this.#build = build;
    this.#source = countResponses(build.service.client, build.progress);
    this.#check = createWindowCheck(warnOnce(build.report.warn));
  }

  /** A first run that finds another limit starts over with another grid, as what it asked for fits no cell of it. */
  async ask(entries: readonly Entry<StoredCellResponse>[], state: AskState): Promise<void> {
    const { options, context, report } = this.#build;
    const { grid } = state;
    const { take, cancel } = prefetch({
      requests: entries,
      concurrency: options.concurrency,
      signal: context.signal,
      send: async (entry, signal) => {
        if (!this.isDown || isDecisive(entry.reason))
          state.asked.push(await this.#askOne(entry, { grid, reason: entry.reason, signal }));
      },
      read: async () => {},
    });
    try {
      for (const _ of entries) await take();
    } catch (error) {
      if (!(error instanceof OtherLimit)) throw error;
      const { maxWindow } = error;
      report.detail(
        `the service takes at most ${maxWindow.amount} ${maxWindow.unit} per request; planning the rest again`,
      );
      [state.grid, state.asked] = [{ maxWindow }, []];
    } finally {
      await cancel();
    }
  }

  async #askOne({ cell, reason }: Entry<StoredCellResponse>, asking: Asking): Promise<Asked> {
    const outcome = await this.#fetch(cell, asking).catch((error: unknown) => this.#passOver(error, { cell, reason }));
    return { name: cell.name, reason, outcome };
  }

  /** What came of a request that failed, if the run can go on without its response. @throws the error, if it cannot. */
  async #passOver(error: unknown, { cell, reason }: Entry<StoredCellResponse>): Promise<Outcome> {
    if (!(error instanceof EntsError) || !["refused", "authentication", "unavailable"].includes(error.kind))
      throw error;
    const { query, finished } = this.#cells;
    const { startBefore = Number.POSITIVE_INFINITY } = this.#build.update ?? {};
    const isEmpty = error instanceof NoValues;
    const isKnown = finished >= 0 && (readWindow(cell.request.path).start ?? startBefore) >= startBefore;
    const now = this.#build.context.now();
    const hasClockError = cell.responses.some((stored) => isFromFuture(stored, now));
    // A cell under way is never out of reach: without it, the output would not go on.
    const isOutOfReach =
      isBeforeHistory(error) && isKnown && !hasClockError && latestInstant(query.network, cell.until) <= now;
    if (isDecisive(reason) && isEmpty && !this.#isAhead(cell)) this.#emptied ??= error;
    else if (isDecisive(reason) && !isEmpty && !isOutOfReach) throw error;
    this.isDown ||= error.kind !== "refused" && !isEmpty;
    const stays = cell.responses[0]
      ? "keeping the stored data"
      : `out of reach until the plan changes (or ${UPKEEP_FLAGS.recheck} all)`;
    const why = `${isEmpty ? "the service has no data any more" : error.message.replace(/\.$/, "")}; ${stays}`;
    this.#failures.set(why, [...(this.#failures.get(why) ?? []), cell]);
    if (isOutOfReach) return "out of reach";
    return isEmpty ? "empty" : error.kind === "refused" ? "refused" : "unanswered";
  }

  /** Asks for a cell, or for its halves if it is longer than the service allows. */
  async #fetch(cell: StoredCell, asking: Asking): Promise<Outcome> {
    const { query } = this.#cells;
    const { maxWindow } = findLimits(query.interval, this.#build.options.maxWindow);
    if (!this.#cells.learns && this.#isLonger(cell, maxWindow)) return this.#fetchHalves(cell, asking);
    try {
      const received = await this.#source.send(cell.request, asking.signal);
      return await this.#store(cell, await received.read(), asking);
    } catch (error) {
      const detected = detectMaxWindow(error);
      // A service's clock may be ahead.
      const isOpen = readWindow(cell.request.path).end === undefined;
      if (!detected || (!isOpen && !this.#isLonger(cell, detected.maxWindow))) throw error;
      return this.#fetchHalves(cell, asking, detected);
    }
  }

  /** @throws {OtherLimit} in a first run, which makes the grid finer instead. */
  async #fetchHalves(cell: StoredCell, asking: Asking, detected?: DetectedWindow): Promise<Outcome> {
    const { query, learns, lay } = this.#cells;
    const now = this.#build.context.now();
    if (detected && learns && !isSameGrid(detected, asking.grid)) {
      try {
        lay(detected);
      } catch (cause) {
        throw shorterThanInterval(query.interval, detected, cause);
      }
      throw new OtherLimit(detected.maxWindow);
    }
    const halves = halveCell(cell, { now, query });
    if (!halves)
      throw detected ? shorterThanInterval(query.interval, detected, undefined) : usageError("a cell cannot be halved");
    const outcomes: Outcome[] = [];
    for (const half of halves) {
      const request = planCell({ ...query, parameters: cell.batch }, half, now);
      outcomes.push(await this.#fetch({ ...cell, ...half, request }, asking));
    }
    const [first = "changed"] = outcomes;
    return outcomes.every((outcome) => outcome === first) ? first : "changed";
  }

  #isLonger({ request }: StoredCell, maxWindow: Duration | undefined): boolean {
    const { start = 0, end = reachedLocal(this.#cells.query.network, this.#build.context.now()) } = readWindow(
      request.path,
    );
    return maxWindow !== undefined && end > addDuration(start, maxWindow);
  }

  async #store(cell: StoredCell, { decoded, response }: Reading, { grid, reason }: Asking): Promise<Outcome> {
    const { folder, options, target, context } = this.#build;
    const { query } = this.#cells;
    if (isUnknown(decoded)) throw decoded.problem;
    if (decoded.incomplete) throw decoded.incomplete;
    const used = trimToCell(decoded, cell, query);
    const facts = describeResponse(used, query.interval);
    const { timeSeries } = used;
    this.#check({ query, window: readWindow(cell.request.path), isCut: grid.maxWindow !== undefined, timeSeries });
    const outcome = await this.#compare(cell, used);
    const isDoubted = outcome === "empty" && !options.overwrite && !this.#isConfirmed(cell, response.receivedAt);
    const masked = await maskResponse(response, { mask: createBodyMask(context.secrets), maxBody: options.maxBody });
    freeBodies(decoded.timeSeries);
    const accepted = options.overwrite || undefined;
    // The first response without values is stored, as its time counts.
    if (masked && !(isDoubted && cell.responses[0]?.facts.values === 0)) {
      const { name } = await folder.keep({
        path: cell.request.path,
        response: masked,
        grid,
        reason,
        facts: { ...facts, accepted },
      });
      if (isDoubted) this.#doubted.add(name);
    }
    if (isDoubted) throw refuseEmpty(cell, target.name);
    return outcome === "empty" ? "changed" : outcome;
  }

  /** True for a cell that only forecasts have: the newest run need not reach it. */
  #isAhead({ from }: StoredCell): boolean {
    return from > reachedLocal(this.#cells.query.network, this.#build.context.now());
  }

  /** True if what a cell had may be gone: it is not open, and a response without values came six hours before. */
  #isConfirmed(cell: StoredCell, receivedAt: number): boolean {
    const [first] = cell.responses;
    const isOver = receivedAt >= endOfCell(cell, this.#cells.query) + approximateMs(this.#build.options.revise);
    return (
      (isOver || this.#isAhead(cell)) && first?.facts.values === 0 && receivedAt - first.receivedAt >= CONFIRM_AFTER
    );
  }

  /** Compares a response with what the cell had before this run. */
  async #compare(cell: StoredCell, { timeSeries }: KnownResponse): Promise<Outcome> {
    const responses = cell.responses.filter(({ run }) => run < this.#build.folder.run);
    if (responses.length === 0) return "new";
    const before = await readCell(cell, responses, { ...this.#build, query: this.#cells.query });
    const { done } = comparePoints(before.decoded.timeSeries, timeSeries).next();
    freeBodies(before.decoded.timeSeries);
    if (done) return "same";
    return countValues(timeSeries) === 0 ? "empty" : "changed";
  }

  /** Notes what stays as it is. @throws {NoValues} an open cell had some. */
  async finish(): Promise<void> {
    const { folder, report } = this.#build;
    // Other responses of such a run that have no values are not believed either.
    if (this.#emptied)
      await folder.remove(
        ({ run, facts, name }) => run === folder.run && facts?.values === 0 && !this.#doubted.has(name),
      );
    if (this.#emptied) throw this.#emptied;
    for (const [why, cells] of this.#failures) {
      const [first] = cells as [StoredCell];
      const others = cells.length === 1 ? "" : ` and ${formatCount(cells.length - 1, "other part")}`;
      report.note(`could not fetch ${describeCell(first)}${others}: ${why}`);
    }
  }
}

interface Asking {
  readonly grid: Grid;
  readonly reason: Reason;
  readonly signal: AbortSignal;
}

/** The service takes less per request than a cell has. */
class OtherLimit extends Error {
  readonly maxWindow: Duration;

  constructor(maxWindow: Duration) {
    super("another limit");
    this.maxWindow = maxWindow;
  }
}

/** No values where there were some. */
class NoValues extends EntsError {}

function refuseEmpty(cell: StoredCell, name: string): EntsError {
  return new NoValues(
    "unavailable",
    `the service now has no data from ${describeCell(cell)}, where it had some; ${name} is unchanged`,
    {
      hint: `run the command again later\nif the data are gone for good, add ${UPKEEP_FLAGS.overwrite} to remove them from ${name}`,
    },
  );
}

/** `2025-01-01 to 2025-01-09`, `2025-01-09 to now` */
function describeCell({ request }: StoredCell): string {
  const { start, end } = readWindow(request.path);
  return `${formatShort(start ?? 0)} to ${end === undefined ? "now" : formatShort(end)}`;
}
