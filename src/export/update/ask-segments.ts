/** Asks for the segments on the list, and stores the responses. */
import { EntsError, usageError } from "../../base/errors.ts";
import { formatCount } from "../../base/phrases.ts";
import { warnOnce } from "../../base/report.ts";
import { createBodyMask } from "../../base/shown-text.ts";
import { describeResponse } from "../../store/response-facts.ts";
import type { StoredSegmentResponse } from "../../store/response-folder.ts";
import {
  endOfSegment,
  type SplitGrid,
  halveSegment,
  isSameGrid,
  planSegment,
  reachedLocal,
} from "../../store/segments.ts";
import { comparePoints } from "../../store/compare.ts";
import { maskResponse } from "../../store/store-responses.ts";
import { CONFIRM_AFTER } from "../../store/layers.ts";
import type { RequestLogEntry, Outcome, Reason } from "../../store/journal.ts";
import { type Entry, isFromFuture } from "../../store/rules.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { findWindowLimits } from "../../plan/limits.ts";
import { latestInstant } from "../../plan/plan.ts";
import { readWindow } from "../../plan/request-path.ts";
import { isUnknown, type KnownResponse } from "../../series/decoded-response.ts";
import { freeBodies } from "../../series/merge.ts";
import { countValues } from "../../series/overlap.ts";
import { type CheckWindow, createWindowCheck } from "../../source/check-window.ts";
import { prefetch } from "../../source/prefetch.ts";
import type { ReadResponse, Source } from "../../source/source.ts";
import { detectMaxWindow, type DetectedWindow, shorterThanInterval } from "../../source/windows.ts";
import { addDuration, approximateMs, type Duration } from "../../time/duration.ts";
import { formatShort } from "../../time/local-time.ts";
import type { FileJob } from "../job.ts";
import { isBeforeHistory } from "../failure.ts";
import { countResponses } from "../progress.ts";
import { noteCost } from "../quota.ts";
import { type AskState, isDecisive, type StoredSegment, type OpenSegments } from "./open-segments.ts";
import { readSegment, trimToSegment } from "./read-segments.ts";

/** Asks until nothing is left on the list. @throws {EntsError} for missing and open segments. */
export async function askSegments(segments: OpenSegments, state: AskState, job: FileJob): Promise<void> {
  const { progress, report } = job;
  const asker = new SegmentAsker(segments, job);
  for (let round = 0; ; round++) {
    const entries = segments.list(state).filter(({ reason }) => !asker.isDown || isDecisive(reason));
    if (entries.length === 0) break;
    const requests = entries.map(({ segment }) => segment.request);
    progress.plan({ windows: requests.map((request) => ({ window: readWindow(request.path), requests: [request] })) });
    if (round === 0) await noteCost(requests, job);
    for (const { segment, reason } of entries) report.detail(`${reason}: ${describeSegment(segment)}`);
    // A first run learns from the first segments how time is to be cut.
    await asker.ask(segments.learns && round < LEARNING_ROUNDS ? entries.slice(0, 1) : entries, state);
  }
  await asker.finish();
}

const LEARNING_ROUNDS = 2;

class SegmentAsker {
  /** True once the service has not answered a request that does not decide how the run ends. */
  isDown = false;
  readonly #segments: OpenSegments;
  readonly #job: FileJob;
  readonly #source: Source;
  readonly #check: CheckWindow;
  /**
   * The first failure of an open segment without values, and the names of all stored responses without values for segments
   * that had some.
   */
  #emptied: EntsError | undefined;
  readonly #doubted = new Set<string>();
  /** Places that stay as they are, by what the service says. */
  readonly #failures = new Map<string, StoredSegment[]>();

  constructor(segments: OpenSegments, job: FileJob) {
    this.#segments = segments;
    this.#job = job;
    this.#source = countResponses(job.service.client, job.progress);
    this.#check = createWindowCheck(warnOnce(job.report.warn));
  }

  /** A first run that finds another limit starts over with another grid, as what it asked for fits no segment of it. */
  async ask(entries: readonly Entry<StoredSegmentResponse>[], state: AskState): Promise<void> {
    const { options, context, report } = this.#job;
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

  async #askOne({ segment, reason }: Entry<StoredSegmentResponse>, asking: Asking): Promise<RequestLogEntry> {
    const outcome = await this.#fetch(segment, asking).catch((error: unknown) =>
      this.#passOver(error, { segment, reason }),
    );
    return { name: segment.name, reason, outcome };
  }

  /** What came of a request that failed, if the run can go on without its response. @throws the error, if it cannot. */
  async #passOver(error: unknown, { segment, reason }: Entry<StoredSegmentResponse>): Promise<Outcome> {
    if (!(error instanceof EntsError) || !["refused", "authentication", "unavailable"].includes(error.kind))
      throw error;
    const { query, finished } = this.#segments;
    const { startBefore = Number.POSITIVE_INFINITY } = this.#job.update ?? {};
    const isEmpty = error instanceof NoValues;
    const isKnown = finished >= 0 && (readWindow(segment.request.path).start ?? startBefore) >= startBefore;
    const now = this.#job.context.now();
    const hasClockError = segment.responses.some((stored) => isFromFuture(stored, now));
    // A segment under way is never out of reach: without it, the output would not go on.
    const isOutOfReach =
      isBeforeHistory(error) && isKnown && !hasClockError && latestInstant(query.network, segment.until) <= now;
    if (isDecisive(reason) && isEmpty && !this.#isAhead(segment)) this.#emptied ??= error;
    else if (isDecisive(reason) && !isEmpty && !isOutOfReach) throw error;
    this.isDown ||= error.kind !== "refused" && !isEmpty;
    const stays = segment.responses[0]
      ? "keeping the stored data"
      : `out of reach until the plan changes (or ${UPKEEP_FLAGS.recheck} all)`;
    const why = `${isEmpty ? "the service has no data any more" : error.message.replace(/\.$/, "")}; ${stays}`;
    this.#failures.set(why, [...(this.#failures.get(why) ?? []), segment]);
    if (isOutOfReach) return "out of reach";
    return isEmpty ? "empty" : error.kind === "refused" ? "refused" : "unanswered";
  }

  /** Asks for a segment, or for its halves if it is longer than the service allows. */
  async #fetch(segment: StoredSegment, asking: Asking): Promise<Outcome> {
    const { query } = this.#segments;
    const { maxWindow } = findWindowLimits(query.interval, this.#job.options.maxWindow);
    if (!this.#segments.learns && this.#isLonger(segment, maxWindow)) return this.#fetchHalves(segment, asking);
    try {
      const received = await this.#source.send(segment.request, asking.signal);
      return await this.#store(segment, await received.read(), asking);
    } catch (error) {
      const detected = detectMaxWindow(error);
      // A service's clock may be ahead.
      const isOpen = readWindow(segment.request.path).end === undefined;
      if (!detected || (!isOpen && !this.#isLonger(segment, detected.maxWindow))) throw error;
      return this.#fetchHalves(segment, asking, detected);
    }
  }

  /** @throws {OtherLimit} in a first run, which makes the grid finer instead. */
  async #fetchHalves(segment: StoredSegment, asking: Asking, detected?: DetectedWindow): Promise<Outcome> {
    const { query, learns, lay } = this.#segments;
    const now = this.#job.context.now();
    if (detected && learns && !isSameGrid(detected, asking.grid)) {
      try {
        lay(detected);
      } catch (cause) {
        throw shorterThanInterval(query.interval, detected, cause);
      }
      throw new OtherLimit(detected.maxWindow);
    }
    const halves = halveSegment(segment, now, query);
    if (!halves)
      throw detected
        ? shorterThanInterval(query.interval, detected, undefined)
        : usageError("a segment cannot be halved");
    const outcomes: Outcome[] = [];
    for (const half of halves) {
      const request = planSegment({ ...query, parameters: segment.batch }, half, now);
      outcomes.push(await this.#fetch({ ...segment, ...half, request }, asking));
    }
    const [first = "changed"] = outcomes;
    return outcomes.every((outcome) => outcome === first) ? first : "changed";
  }

  #isLonger({ request }: StoredSegment, maxWindow: Duration | undefined): boolean {
    const { start = 0, end = reachedLocal(this.#segments.query.network, this.#job.context.now()) } = readWindow(
      request.path,
    );
    return maxWindow !== undefined && end > addDuration(start, maxWindow);
  }

  async #store(
    segment: StoredSegment,
    { decoded, response }: ReadResponse,
    { grid, reason }: Asking,
  ): Promise<Outcome> {
    const { folder, options, target, context } = this.#job;
    const { query } = this.#segments;
    if (isUnknown(decoded)) throw decoded.problem;
    if (decoded.incomplete) throw decoded.incomplete;
    const used = trimToSegment(decoded, segment, query);
    const facts = describeResponse(used, query.interval);
    const { timeSeries } = used;
    this.#check({ query, window: readWindow(segment.request.path), isCut: grid.maxWindow !== undefined, timeSeries });
    const outcome = await this.#compare(segment, used);
    const isDoubted = outcome === "empty" && !options.overwrite && !this.#isConfirmed(segment, response.receivedAt);
    const masked = await maskResponse(response, createBodyMask(context.secrets), options.maxBody);
    freeBodies(decoded.timeSeries);
    const accepted = options.overwrite || undefined;
    // The first response without values is stored, as its time counts.
    if (masked && !(isDoubted && segment.responses[0]?.facts.values === 0)) {
      const { name } = await folder.keep({
        path: segment.request.path,
        response: masked,
        grid,
        reason,
        facts: { ...facts, accepted },
      });
      if (isDoubted) this.#doubted.add(name);
    }
    if (isDoubted) throw refuseEmpty(segment, target.name);
    return outcome === "empty" ? "changed" : outcome;
  }

  /** True for a segment that only forecasts have: the newest run need not reach it. */
  #isAhead({ from }: StoredSegment): boolean {
    return from > reachedLocal(this.#segments.query.network, this.#job.context.now());
  }

  /** True if what a segment had may be gone: it is not open, and a response without values came six hours before. */
  #isConfirmed(segment: StoredSegment, receivedAt: number): boolean {
    const [first] = segment.responses;
    const isOver = receivedAt >= endOfSegment(segment, this.#segments.query) + approximateMs(this.#job.options.revise);
    return (
      (isOver || this.#isAhead(segment)) && first?.facts.values === 0 && receivedAt - first.receivedAt >= CONFIRM_AFTER
    );
  }

  /** Compares a response with what the segment had before this run. */
  async #compare(segment: StoredSegment, { timeSeries }: KnownResponse): Promise<Outcome> {
    const responses = segment.responses.filter(({ run }) => run < this.#job.folder.run);
    if (responses.length === 0) return "new";
    const before = await readSegment(segment, responses, { ...this.#job, query: this.#segments.query });
    const { done } = comparePoints(before.decoded.timeSeries, timeSeries).next();
    freeBodies(before.decoded.timeSeries);
    if (done) return "same";
    return countValues(timeSeries) === 0 ? "empty" : "changed";
  }

  /** Notes what stays as it is. @throws {NoValues} an open segment had some. */
  async finish(): Promise<void> {
    const { folder, report } = this.#job;
    // Other responses of such a run that have no values are not believed either.
    if (this.#emptied)
      await folder.remove(
        ({ run, facts, name }) => run === folder.run && facts?.values === 0 && !this.#doubted.has(name),
      );
    if (this.#emptied) throw this.#emptied;
    for (const [why, segments] of this.#failures) {
      const [first] = segments as [StoredSegment];
      const others = segments.length === 1 ? "" : ` and ${formatCount(segments.length - 1, "other part")}`;
      report.note(`could not fetch ${describeSegment(first)}${others}: ${why}`);
    }
  }
}

interface Asking {
  readonly grid: SplitGrid;
  readonly reason: Reason;
  readonly signal: AbortSignal;
}

/** The service takes less per request than a segment has. */
class OtherLimit extends Error {
  readonly maxWindow: Duration;

  constructor(maxWindow: Duration) {
    super("another limit");
    this.maxWindow = maxWindow;
  }
}

/** No values where there were some. */
class NoValues extends EntsError {}

function refuseEmpty(segment: StoredSegment, name: string): EntsError {
  return new NoValues(
    "unavailable",
    `the service now has no data from ${describeSegment(segment)}, where it had some; ${name} is unchanged`,
    {
      hint: `run the command again later\nif the data are gone for good, add ${UPKEEP_FLAGS.overwrite} to remove them from ${name}`,
    },
  );
}

/** `2025-01-01 to 2025-01-09`, `2025-01-09 to now` */
function describeSegment({ request }: StoredSegment): string {
  const { start, end } = readWindow(request.path);
  return `${formatShort(start ?? 0)} to ${end === undefined ? "now" : formatShort(end)}`;
}
