/**
 * Runs an update (`--update`) of an output.
 *
 * 1. `folder.open` takes the lock, and reads the journal and the headings of the stored responses.
 * 2. `askSegments` asks for what is on the list (store/rules.ts), and stores the responses.
 * 3. `compareSegments` compares them with those that the last run's output was made from: that is what has changed.
 * 4. `gatherSegments` reads all segments, or of a dataset those that `findUnchanged` does not find to be as they were, and
 *    `checkBalance` counts their values.
 * 5. `writeResult` makes the output from the segments. Before it takes its place, the run and its changes are noted in the
 *    journal.
 * 6. Responses that others have superseded are deleted.
 *
 * A killed run leaves the old output or the new one, and the next run does the rest.
 */
import { EntsError, usageError } from "../../base/errors.ts";
import { formatCount } from "../../base/phrases.ts";
import { isForecast } from "../../base/vocabulary.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import type { StoredResponse } from "../../store/response-file.ts";
import { findSettled, type SplitGrid, isSameGrid } from "../../store/segments.ts";
import type { FinishedRun, RunOrigin } from "../../store/journal.ts";
import { listLayers } from "../../store/layers.ts";
import { findOldSchemas, isFromFuture } from "../../store/rules.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { latestInstant } from "../../plan/plan.ts";
import { removeWindow } from "../../plan/request-path.ts";
import { formatInstant, type LocalTime } from "../../time/local-time.ts";
import type { FileJob } from "../job.ts";
import type { CompleteOutput } from "../destination/interface.ts";
import { writeResult } from "../export-plan.ts";
import { describeQuery } from "../package/describe-result.ts";
import { askSegments } from "./ask-segments.ts";
import { checkBalance, type Comparison, compareSegments, findLast, sumValues } from "./compare-segments.ts";
import { gatherSegments, type GatheredSegments, type Gathering } from "./gather-segments.ts";
import {
  type AskState,
  forgetLost,
  type StoredSegment,
  type OpenSegments,
  openSegments,
  startAsking,
} from "./open-segments.ts";
import { Damaged, readSegments } from "./read-segments.ts";
import { findUnchanged, signColumns } from "./unchanged-files.ts";
import { createLastWatch, describeUpdate, explainDoubt, findVersion } from "./report-update.ts";

export async function runUpdate(job: FileJob): Promise<void> {
  const { options, folder, context, report, target } = job;
  await folder.open();
  if (!options.overwrite) checkClock(job);
  const described = job.update?.described;
  const open = openSegments(job, context.now());
  const isFirst = open.finished < 0;
  noteLost(open, job);
  const wasCatchingUp = open.isCatchingUp(startAsking(job));
  const made = await bringUpToDate(open, findLast(folder.journal, described), job);
  const { periods, read, comparison, gathered, state, added } = made;
  const { journal } = folder;
  const isWhole = !state.asked.some(({ outcome }) => outcome === "out of reach");
  const lastSegment = isWhole ? periods.at(-1)?.at(-1) : undefined;
  const until = latestInstant(open.query.network, lastSegment?.until ?? Number.POSITIVE_INFINITY);
  if (!options.overwrite) checkBalance({ target, journal, described, gathered, comparison, until });
  const isSuperseded = isOver(state.grid, periods, comparison);
  const isUnneeded = (response: StoredResponse) => isSuperseded(response) || isFromFuture(response, context.now());
  const old = folder.responses.filter(
    (response) => response.grid && response.run <= open.finished && isSuperseded(response),
  );
  const superseded = [...old.map(({ name }) => name), ...made.damaged];
  const stored = folder.responses.filter((response) => !isUnneeded(response)).length;
  const last = createLastWatch(job.output);
  const { concurrency } = options;
  await writeResult(
    job,
    {
      plan: { ...job.plan, query: open.query },
      known: {
        ...gathered,
        windows: () => readSegments(read, { folder, query: open.query, concurrency, context }),
      },
      put: {
        kept: gathered.kept,
        beforePlace: (placed) => {
          const finished = { ...noteRun(open, made, [job, placed, last.instant()]), superseded, stored };
          return folder.finish(
            finished,
            finished.restated + finished.withdrawn > 0 ? comparison.listChanges() : undefined,
          );
        },
      },
      source: job.service.client,
      onReplan: () => {},
    },
    last,
  );
  await folder.remove(isUnneeded, new Set(options.history ? superseded : []));
  report.done(describeUpdate(job, { ...comparison, added, asked: state.asked, until: last.timestamp(), isFirst }));
  const doubt = explainDoubt([open, state], job, wasCatchingUp);
  if (doubt) report.note(...doubt);
}

interface UpToDate {
  readonly state: AskState;
  readonly periods: StoredSegment[][];
  /** Those that the output is made from, as far as it is made again. */
  readonly read: Gathering["periods"];
  readonly comparison: Comparison;
  readonly gathered: GatheredSegments;
  /** The number of new points with a value. */
  readonly added: number;
  /** File names of stored responses that were damaged, and are deleted. */
  readonly damaged: readonly string[];
}

/** Asks for what is on the list. A stored response that turns out to be damaged is missing. */
async function bringUpToDate(open: OpenSegments, last: number, job: FileJob): Promise<UpToDate> {
  const { folder } = job;
  const damaged: string[] = [];
  for (const state = startAsking(job); ; forgetLost(state, open)) {
    try {
      await askSegments(open, state, job);
      return { ...(await compareAndGather(open, state, [job, last])), damaged };
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      // What this run has written cannot be read back: asking again would not help.
      if (error.stored.run === folder.run)
        throw new EntsError("output", `cannot read what was stored in ${folder.shown}: ${error.message}`);
      damaged.push(error.stored.name);
      await folder.remove(({ name }) => name === error.stored.name);
    }
  }
}

/** @throws {Damaged} a stored response cannot be read. */
async function compareAndGather(
  { query, finished, lay }: OpenSegments,
  state: AskState,
  [job, last]: readonly [FileJob, number],
): Promise<Omit<UpToDate, "damaged">> {
  const { folder } = job;
  const stored = lay(state.grid);
  checkSchemas(stored.flat(), job);
  const same = new Set(state.asked.flatMap(({ name, outcome }) => (outcome === "same" ? name : [])));
  const isSame = ({ name }: StoredSegment) => same.has(name);
  const settledBefore = folder.journal.last?.settled ?? Number.POSITIVE_INFINITY;
  const comparison = await compareSegments(stored.flat(), {
    folder,
    query,
    finished,
    last,
    settledBefore,
    isSame,
  });
  const periods = stored.map((segments) =>
    segments.map((segment) => ({ ...segment, responses: listLayers(segment.responses) })),
  );
  const made = await gatherChanged({ periods, query, asks: true, last }, { stored, grid: state.grid, finished }, job);
  const added = comparison.added + countNew(comparison, made.gathered, job);
  return { state, periods, comparison, ...made, added };
}

/** Reads all segments, unless files of a dataset can stay as they are. */
async function gatherChanged(
  all: Gathering,
  before: Pick<Parameters<typeof findUnchanged>[0], "stored" | "grid" | "finished">,
  job: FileJob,
): Promise<Pick<UpToDate, "read" | "gathered">> {
  const { made } = describeFinishedRun(job);
  const isMadeAlike = made === undefined || signOrigin(made) === signOrigin(job.folder.journal.made);
  const unchanged = await findUnchanged({ ...all, ...before, isMadeAlike }, job);
  if (unchanged) {
    const gathered = await gatherSegments({ ...all, periods: unchanged.periods, unchanged }, job);
    const isSame = signColumns(gathered.columns) === job.folder.journal.last?.columns;
    if (gathered.kept && isSame) {
      const [read, periods] = [unchanged.periods.length, all.periods.length];
      job.report.detail(`read ${read} of ${formatCount(periods, "segment")}: the files of the others are as they were`);
      for (const observer of job.observers) observer.onKept?.(unchanged.series);
      return { read: unchanged.periods, gathered };
    }
  }
  return { read: all.periods, gathered: await gatherSegments(all, job) };
}

/**
 * The number of new values in segments of which no response was stored before; if it is lost, the journal has their
 * number.
 */
function countNew({ isNew }: Comparison, { values }: GatheredSegments, { folder }: FileJob): number {
  const names = new Set([...isNew].map(({ wholeName }) => wholeName));
  const had = folder.journal.values;
  return [...names].reduce(
    (sum, name) => sum + Math.max(0, (values.get(name)?.written ?? 0) - (had.get(name) ?? 0)),
    0,
  );
}

/**
 * @throws {EntsError} output: a stored response is from the future. If the clock is slow, the newest rows would be left
 * out.
 */
function checkClock({ folder, target, context }: FileJob): void {
  const future = folder.responses.find((stored) => isFromFuture(stored, context.now()));
  if (!future) return;
  const [received, at] = [future.receivedAt, context.now()].map(formatInstant);
  throw new EntsError(
    "output",
    `cannot update ${target.name}: a stored response is from the future (received ${received}; now it is ${at})`,
    {
      hint: `check the clock of this machine\nif it is right, add ${UPKEEP_FLAGS.overwrite} to fetch it again`,
    },
  );
}

/** Says what is asked for again because its stored responses are lost. */
function noteLost(open: OpenSegments, job: FileJob): void {
  const { folder, target, report } = job;
  if (open.finished < 0) return;
  const isKnown = ({ responses, wholeName }: StoredSegment) =>
    responses.length === 0 && (folder.journal.values.has(wholeName) || folder.segments.length === 0);
  const lost = open.list(startAsking(job)).filter(({ segment, reason }) => reason === "missing" && isKnown(segment));
  if (lost.length > 0)
    report.note(
      `stored responses of ${target.name} are lost; fetching them again takes ${formatCount(lost.length, "request")}`,
    );
}

/**
 * @throws {EntsError} usage: the service has changed units, timestamps or labels, and some responses are older than
 * that.
 */
function checkSchemas(segments: readonly StoredSegment[], { target, options, folder }: FileJob): void {
  const { size } = findOldSchemas(segments, folder.journal);
  if (size === 0) return;
  const again = `run the command again to ask for more of them${options.recheck === "all" ? "" : `, or add ${UPKEEP_FLAGS.recheck} all to ask for all at once`}`;
  throw usageError(
    `${target.name} is unchanged: the service's units, labels or timestamps are no longer those of its older rows, and ${formatCount(size, "older response")} ${size === 1 ? "is" : "are"} still as before`,
    `${again}\nif the service refuses them, start a new output with ${OUTPUT_OPTIONS.output.short}`,
  );
}

function noteRun(
  { query }: OpenSegments,
  { state: { grid, asked }, comparison, gathered, added }: UpToDate,
  [job, { bytes, hash }, until]: readonly [FileJob, CompleteOutput, number | null],
): FinishedRun {
  const { folder, options, provenance, output, progress, keyLimits, context } = job;
  const { restated, withdrawn, held } = comparison;
  const { values, lastOfSegments, missingSeries, fillsGaps: fills } = gathered;
  // The clock may be slow: then the last point lies in the newest interval.
  const settled = findSettled(query, Math.max(context.now(), query.metrics.some(isForecast) ? 0 : (until ?? 0)));
  const had = folder.journal.values;
  const countOf = (segment: string) => values.get(segment)?.written ?? 0;
  const changed = [...new Set([...had.keys(), ...values.keys()])].filter(
    (segment) => countOf(segment) !== (had.get(segment) ?? 0),
  );
  return {
    run: folder.run,
    at: context.now(),
    query: describeQuery(provenance, output),
    start: query.window.start,
    grid,
    settled: Number.isFinite(settled) ? settled : null,
    rows: progress.rows,
    bytes,
    hash,
    columns: signColumns(gathered.columns),
    last: Number.isFinite(lastOfSegments) ? lastOfSegments : null,
    until,
    added,
    restated,
    withdrawn: sumValues(withdrawn),
    held,
    requests: progress.count.service,
    ...(options.history ? { history: true } : {}),
    ...describeFinishedRun(job),
    asked: asked.map(({ name, reason, outcome }) => [name, reason, outcome]),
    plan: keyLimits.plan,
    values: Object.fromEntries(changed.map((segment) => [segment, countOf(segment)])),
    lacking: [...missingSeries],
    ...(fills === undefined ? {} : { fills }),
  };
}

/** How a run made its output, but for its end and name: `lake` and `lake/` are the same. */
function signOrigin(made: RunOrigin | undefined): string {
  const flags = / --(?:output|date-end) (?:'[^']*'|\S+)/g;
  return JSON.stringify(made && { ...made, command: made.command.replaceAll(flags, "") });
}

/** What is not in the stored responses, but in a description of the output. */
function describeFinishedRun({ folder, provenance }: FileJob): Pick<FinishedRun, "version" | "window" | "made"> {
  const { window, measuredUntil, parameters } = provenance.query;
  const version = findVersion(folder);
  const edges = { start: window.start as LocalTime, end: window.end ?? null };
  const made: RunOrigin = {
    version: provenance.version,
    command: provenance.command,
    ...(provenance.terms ? { terms: provenance.terms } : {}),
    // The end may be another one every night.
    parameters: parameters
      .filter(({ name }) => name !== "date_end")
      .map(({ name, values }) => ({ name, values: [...values] })),
  };
  const isSame = JSON.stringify(made) === JSON.stringify(folder.journal.made);
  return {
    ...(version === undefined ? {} : { version }),
    window: { ...edges, ...(measuredUntil === undefined ? {} : { measuredUntil }) },
    ...(isSame ? {} : { made }),
  };
}

/** Selects the stored responses that the output does not need: superseded ones, and those of another query or grid. */
function isOver(
  current: SplitGrid,
  periods: readonly (readonly StoredSegment[])[],
  { superseded }: Comparison,
): (stored: StoredResponse) => boolean {
  const batches = new Set(periods.flat().map(({ request }) => removeWindow(request.path)));
  const names = new Set([...superseded].map(({ name }) => name));
  return ({ name, path, grid }) =>
    names.has(name) || !grid || !isSameGrid(grid, current) || !batches.has(removeWindow(path));
}
