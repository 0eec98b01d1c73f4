/**
 * The way of a night. What is missing, due or to be rechecked is asked for; what came is compared with what was there before; the
 * output is made from all answers; the run is noted; and the output takes its place. A run that is killed leaves the old output
 * or the new one, and the next run does the rest.
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
import { findDescriptor, type CompleteOutput } from "../destination/interface.ts";
import type { Gathered } from "../gather.ts";
import { describeQuery } from "../package/describe-result.ts";
import { appendChanges, checkLog, cutLog, openLog } from "./change-log.ts";
import { type Compared, compareNight, type Night } from "./compare-answers.ts";
import { findCurrentFiles } from "./current-files.ts";
import { doubtUnfinished, goOnWithEra, hasBegunEra, isOfAnotherEra, startEra } from "./era.ts";
import { watchLost } from "./lost-answers.ts";
import { listDoubtful, recheckAnswers, type Rechecked } from "./recheck.ts";
import { formatCount, formatNumber } from "../../base/phrases.ts";
import type { Change } from "../../kept/compare.ts";

export async function runNight(asked: Build): Promise<void> {
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
  const before = listBefore(build);
  const { count: rechecked, refused } = await recheckAnswers(build, before);
  let isNewEra = hasBegunEra(folder);
  let gathered = isNewEra ? await goOnWithEra(build) : await gather(build);
  if (await doubtUnfinished(gathered, build)) gathered = await gather(build);
  let night = await compareNight(gathered, build, before);
  const empty = night.compared.find(({ isEmpty }) => isEmpty);
  if (empty && !overwrite) throw await refuseEmpty(empty, build);
  if (!isNewEra && isOfAnotherEra(night)) {
    isNewEra = true;
    gathered = await startEra(build);
    night = await compareNight(gathered, build, before);
  }
  const lost = before.length > 0 || overwrite ? undefined : await watchLost(build);
  const current = await findCurrentFiles(gathered, build);
  const until = await render(gathered, build, {
    current: current?.files,
    source: current?.source,
    onChunk: lost?.onChunk,
    beforePlace: async (placed) => {
      lost?.check();
      if (log && night.changes.length > 0) {
        await folder.append({ log: log.path, size: await checkLog(log) });
        await appendChanges(log, night.changes, context.now());
      }
      // Points of other names or bucket starts are not withdrawn: they are elsewhere.
      const withdrew = isNewEra ? [] : night.withdrew;
      await folder.append(noteRun(build, { ...night, withdrew, refused, doubtful: listDoubtful(gathered, folder) }, placed));
    },
  });
  await folder.retire(isOver(gathered, build));
  await current?.remember();
  await digests.save();
  report.done(describeNight(build, { ...night, rechecked, until, isFirst: before.length === 0 }));
}

/**
 * Refuses to go on by a clock that is slow. @throws {EntsError} output: answers have come from the future; rows up to then would be left
 * out.
 */
function checkClock({ folder, target, context }: Build): void {
  const last = folder.found.reduce((latest, { receivedAt }) => Math.max(latest, receivedAt), 0);
  const now = context.now();
  if (last <= now + HOUR) return;
  const [received, at] = [last, now].map(formatInstant);
  throw new EntsError("output", `cannot update ${target.name}: an answer was received at ${received}, which is after now, ${at}`, {
    hint: `check the clock of this machine\nif it is right, add ${UPKEEP_FLAGS.overwrite} to fetch again what came from the future`,
  });
}

/** The answers that the output was made from. */
function listBefore({ folder }: Build): KeptAnswer[] {
  return folder.found.filter(({ run, service }) => isFinished(folder.journal, run) && service === folder.service);
}

/** All that this run has received is asked for again by the next one: of windows without earlier answers, nothing shows that they are wrong. */
async function refuseEmpty({ window, older }: Night["compared"][number], { folder, target }: Build): Promise<EntsError> {
  await folder.append({ doubt: folder.run });
  const values = older.length === 1 ? "an earlier answer" : `${older.length} earlier answers`;
  return new EntsError(
    "unavailable",
    `the service has no data from ${describe(window)}, of which ${values} had values; ${target.name} is unchanged`,
    {
      hint: `run the command again later\nif the data are gone for good, add ${UPKEEP_FLAGS.overwrite} to take them out of ${target.name}`,
    },
  );
}

function describe({ start, end }: Compared["window"]): string {
  const name = (local: number | undefined) => (local === undefined ? "now" : new Date(local).toISOString().slice(0, 16));
  return `${name(start)} to ${name(end)}`;
}

type Noted = Night & Pick<Rechecked, "refused"> & Pick<FinishedRun, "doubtful">;

function noteRun({ folder, request, parts, context }: Build, night: Noted, { bytes, hash }: CompleteOutput): FinishedRun {
  const { query } = parts.plan;
  const names = new Map(folder.usable.map(({ path, name }) => [path, name]));
  const nameAll = (paths: readonly string[]) => paths.flatMap((path) => names.get(path) ?? []);
  return {
    run: folder.run,
    at: context.now(),
    query: describeQuery(request.provenance, request.output),
    start: query.window.start ?? null,
    rows: parts.progress.rows,
    bytes,
    hash,
    added: night.added,
    restated: night.changes.filter(({ now }) => now !== undefined).length,
    withdrawn: night.changes.filter(({ now }) => now === undefined).length,
    requests: parts.progress.count.service,
    dueAgain: nameAll(night.withdrew),
    confirmed: nameAll(night.confirmed),
    refused: [...night.refused],
    doubtful: [...night.doubtful],
  };
}

/** Whether an answer that was found is part of the output no more; those outside of its window stay. */
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

interface Outcome extends Pick<Night, "added" | "changes"> {
  readonly isFirst: boolean;
  /** Answers. */
  readonly rechecked: number;
  /** The last timestamp, as printed. */
  readonly until: string | undefined;
}

/** What a run did, in one line. */
function describeNight({ target: { name }, parts: { progress, destination } }: Pick<Build, "target" | "parts">, outcome: Outcome): string {
  const { added, changes, rechecked, until, isFirst } = outcome;
  const end = until === undefined ? "" : `, until ${until}`;
  const { points, service } = progress.count;
  const wrote = destination.wrote === undefined ? "" : `; ${destination.wrote}`;
  if (isFirst) return `${name}: new, ${formatCount(points, "point")}${end}${wrote}`;
  const restated = changes.filter(({ now }) => now !== undefined);
  const largest = restated.reduce<Change | undefined>((most, one) => (most && sizeOf(most) >= sizeOf(one) ? most : one), undefined);
  const parts = [
    `${formatCount(added, "value")} added`,
    `${formatNumber(restated.length)} restated${largest ? ` (largest change: ${describeChange(largest)})` : ""}`,
    `${formatNumber(changes.length - restated.length)} withdrawn`,
    ...(rechecked > 0 ? [`${formatCount(rechecked, "answer")} rechecked`] : []),
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
