/**
 * Runs an update (`--update`) of an output.
 *
 * 1. `folder.open` takes the lock and reads the stored responses; those that are due are not `usable` (kept/due.ts).
 * 2. `recheckAnswers` fetches some that are not due. If one has changed, all responses of its run are rechecked.
 * 3. `gather` fetches the parts that no usable response covers. It runs again without the responses of a failed run if their
 *    units differ (`dropOutdatedFailedRuns`), and for all older responses if the service's units have changed (`startEra`).
 * 4. `compareUpdate` compares the new responses with the older ones.
 * 5. `render` makes the output from all responses; before the output is moved into place, its changes and the run are recorded.
 * 6. `folder.retire` deletes the responses that are no longer part of the output.
 *
 * A killed run leaves the old output or the new one, and the next run does the rest.
 */
import { EntsError } from "../../base/errors.ts";
import { Digests } from "../../kept/digests.ts";
import type { KeptAnswer } from "../../kept/answer-folder.ts";
import { type FinishedRun, isFinished } from "../../kept/journal.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { listRequests } from "../../plan/plan.ts";
import { formatInstant } from "../../series/series-log.ts";
import { HOUR } from "../../time/local-time.ts";
import { type Build, gather, render } from "../build.ts";
import { findDescriptor, type CompleteOutput, type Content } from "../destination/interface.ts";
import type { Gathered } from "../gather.ts";
import { describeQuery } from "../package/describe-result.ts";
import { appendChanges, checkLog, cutLog, openLog } from "./change-log.ts";
import { type Compared, compareUpdate, listOlder, type UpdateComparison } from "./compare-answers.ts";
import { findCurrentFiles } from "./current-files.ts";
import { dropOutdatedFailedRuns, continueEra, hasUnfinishedEra, isOfAnotherEra, startEra } from "./era.ts";
import { watchLost } from "./lost-answers.ts";
import { listDoubtful, recheckAnswers, type Rechecked } from "./recheck.ts";
import { formatCount, formatNumber } from "../../base/phrases.ts";
import type { Change } from "../../kept/compare.ts";

export async function runUpdate(asked: Build): Promise<void> {
  const { request, folder, parts, context, report } = asked;
  const { changes, overwrite } = request.options;
  const { path } = asked.target;
  const log = changes === undefined ? undefined : await openLog(changes, [path, findDescriptor(path), `${path}.ents`], context);
  await folder.open();
  const digests = await Digests.load({ folder, query: parts.plan.query, version: context.version });
  const build = { ...asked, digests };
  if (!overwrite) checkClock(build);
  const { appending } = folder.journal;
  if (appending) await cutLog(appending.log, appending.size);
  const before = await listOlder(build, (run) => isFinished(folder.journal, run));
  const { count: rechecked, refused } = await recheckAnswers(build, before);
  let isNewEra = hasUnfinishedEra(folder);
  let gathered = isNewEra ? await continueEra(build) : await gather(build);
  if (await dropOutdatedFailedRuns(gathered, build)) gathered = await gather(build);
  let comparison = await compareUpdate(gathered, build, before);
  const empty = comparison.compared.find(({ isEmpty }) => isEmpty);
  if (empty && !overwrite) throw await refuseEmpty(empty, build);
  if (!isNewEra && isOfAnotherEra(comparison)) {
    isNewEra = true;
    gathered = await startEra(build);
    comparison = await compareUpdate(gathered, build, before);
  }
  const isLost = !isNewEra && (before.length === 0 || comparison.isLost);
  const lost = isLost && !overwrite ? await watchLost(build, before.length === 0) : undefined;
  const current = await findCurrentFiles(gathered, build);
  const until = await render(gathered, build, {
    // All is written anew, and counted, if something is lost.
    ...(lost ? {} : { current: current?.files, source: current?.source }),
    onChunk: lost?.onChunk,
    beforePlace: async (placed) => {
      lost?.check(countWithdrawn(comparison) + comparison.vanished);
      if (log && comparison.changes.length > 0) {
        await folder.append({ log: log.path, size: await checkLog(log) });
        await appendChanges(log, comparison.changes, context.now());
      }
      // In a new era, missing points have only changed their names or timestamps: they were not withdrawn.
      const withdrew = isNewEra ? [] : comparison.withdrew;
      await folder.append(noteRun(build, { ...comparison, withdrew, refused, doubtful: listDoubtful(gathered, folder) }, placed));
    },
  });
  await folder.retire(isOver(gathered, build));
  await current?.remember();
  await digests.save();
  report.done(describeUpdate(build, { ...comparison, rechecked, until, isFirst: before.length === 0 }));
}

/** @throws {EntsError} output: a stored response is from the future. The clock is slow, so the newest rows would be left out. */
function checkClock({ folder, target, context }: Build): void {
  const last = folder.found.reduce((latest, { receivedAt }) => Math.max(latest, receivedAt), 0);
  const now = context.now();
  if (last <= now + HOUR) return;
  const [received, at] = [last, now].map(formatInstant);
  throw new EntsError(
    "output",
    `cannot update ${target.name}: a stored response is from the future (received ${received}; now it is ${at})`,
    {
      hint: `check the clock of this machine\nif it is right, add ${UPKEEP_FLAGS.overwrite} to fetch it again`,
    },
  );
}

/** Makes the next run fetch all responses of this one again: others may be wrong too where no older response reveals it. */
async function refuseEmpty({ window, older }: UpdateComparison["compared"][number], { folder, target }: Build): Promise<EntsError> {
  await folder.append({ doubt: folder.run });
  const values = older.length === 1 ? "an earlier response" : `${older.length} earlier responses`;
  return new EntsError(
    "unavailable",
    `the service now has no data from ${describe(window)}, where ${values} had some; ${target.name} is unchanged`,
    {
      hint: `run the command again later\nif the data are gone for good, add ${UPKEEP_FLAGS.overwrite} to remove them from ${target.name}`,
    },
  );
}

function describe({ start, end }: Compared["window"]): string {
  const name = (local: number | undefined) => (local === undefined ? "now" : new Date(local).toISOString().slice(0, 16));
  return `${name(start)} to ${name(end)}`;
}

type Noted = UpdateComparison & Pick<Rechecked, "refused"> & Pick<FinishedRun, "doubtful">;

function noteRun(
  { folder, request, parts, context }: Build,
  comparison: Noted,
  { bytes, hash, values, last }: CompleteOutput & Content,
): FinishedRun {
  const { query } = parts.plan;
  const withdrawn = countWithdrawn(comparison);
  const names = new Map(folder.usable.map(({ path, name }) => [path, name]));
  const nameAll = (paths: readonly string[]) => paths.flatMap((path) => names.get(path) ?? []);
  const waiting = new Set(names.values());
  // The service did not answer.
  const stillDue = folder.journal.runs.at(-1)?.dueAgain.filter((name) => waiting.has(name) && !comparison.refused.includes(name)) ?? [];
  return {
    run: folder.run,
    at: context.now(),
    query: describeQuery(request.provenance, request.output),
    start: query.window.start ?? null,
    rows: parts.progress.rows,
    values,
    last: Number.isFinite(last) ? last : null,
    bytes,
    hash,
    added: comparison.added,
    restated: comparison.changes.length - withdrawn,
    withdrawn,
    requests: parts.progress.count.service,
    dueAgain: [...nameAll(comparison.withdrew), ...stillDue],
    confirmed: nameAll(comparison.confirmed),
    refused: [...comparison.refused],
    doubtful: [...comparison.doubtful],
  };
}

function countWithdrawn({ changes }: Pick<UpdateComparison, "changes">): number {
  return changes.filter(({ now }) => now === undefined).length;
}

/** Selects the stored responses that are no longer part of the output, except those outside its window. */
function isOver({ plan }: Gathered, { folder }: Build): (answer: KeptAnswer) => boolean {
  const used = new Set(folder.usable.map(({ name }) => name));
  const places = new Set(listRequests(plan).map(({ path }) => path));
  const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = plan.query.window;
  return ({ name, path, service, window }) =>
    service === folder.service &&
    !(used.has(name) && places.has(path)) &&
    (window.start ?? start) >= start &&
    (window.end ?? window.start ?? end) <= end;
}

interface Outcome extends Pick<UpdateComparison, "added" | "changes"> {
  readonly isFirst: boolean;
  /** Number of responses. */
  readonly rechecked: number;
  /** The last timestamp, as printed. */
  readonly until: string | undefined;
}

/** Returns the last line that a run prints. */
function describeUpdate({ target: { name }, parts: { progress, destination } }: Pick<Build, "target" | "parts">, outcome: Outcome): string {
  const { added, changes, rechecked, until, isFirst } = outcome;
  const end = until === undefined ? "" : `, up to ${until}`;
  const { points, service } = progress.count;
  const wrote = destination.wrote === undefined ? "" : `; ${destination.wrote}`;
  if (isFirst) return `${name}: new, ${formatCount(points, "point")}${end}${wrote}`;
  const restated = changes.filter(({ now }) => now !== undefined);
  const largest = restated.reduce<Change | undefined>((most, one) => (most && sizeOf(most) >= sizeOf(one) ? most : one), undefined);
  const parts = [
    `${formatCount(added, "value")} added`,
    `${formatNumber(restated.length)} restated${largest ? ` (largest change: ${describeChange(largest)})` : ""}`,
    `${formatNumber(changes.length - restated.length)} withdrawn`,
    ...(rechecked > 0 ? [`${formatCount(rechecked, "older response")} rechecked`] : []),
    formatCount(service, "request"),
  ];
  return `${name}: ${parts.join(", ")}${end}${wrote}`;
}

function sizeOf({ old, now }: Change): number {
  return Math.abs(Number(now) - Number(old)) || 0;
}

function describeChange({ stamp, metric, labels, old, now }: Change): string {
  const values = Object.values(labels).flatMap((value) => (value === null ? [] : String(value)));
  return `${[metric, ...values].join(" ")} from ${old} to ${now} at ${stamp}`;
}
