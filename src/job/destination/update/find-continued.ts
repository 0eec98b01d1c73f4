/** What an update keeps of a file that has rows already, and from when on it fetches. */
import { createStepOf } from "../../../series/gap-evidence.ts";
import type { LocalTime } from "../../../time/local-time.ts";
import { findSuffix } from "../../../time/stamp.ts";
import { isNearChange } from "../../../time/stamp-reader.ts";
import { printsAsSent } from "../../output.ts";
import { checkOrigin, type Descriptor } from "../../package/descriptor.ts";
import { findDescriptor } from "../../package/kept.ts";
import { describeOrigin } from "../../package/origin.ts";
import { checkClock } from "../continue/check-clock.ts";
import type { NetworkClock } from "../continue/network-clock.ts";
import { openWindow, reachBack, reviseFrom } from "../continue/revise.ts";
import type { Surroundings } from "../interface.ts";
import type { Begun } from "../file.ts";
import { checkRowsLeft } from "./check-left.ts";
import { checkFirstRow } from "./check-rows.ts";
import { checkFilters } from "./check-tail.ts";
import type { OldCopy } from "./copy-old.ts";
import type { UpdateFacts } from "./facts.ts";
import { createFileForm, findClock } from "./file-form.ts";
import { type FileForm, findSplice, inspectFile, type OldFile, withFile } from "./old-file.ts";
import { scanSeries } from "./scan-series.ts";

/** A file, and from where on its rows are replaced. */
export interface Continued {
  readonly old: OldFile;
  readonly form: FileForm;
  readonly clock: NetworkClock;
  /** Rows from this instant on are replaced, in milliseconds since 1970 UTC; -Infinity for all. */
  readonly from: number;
  /** Where they start, in bytes. */
  readonly splice: number;
  /** A temporary file with the bytes before that. */
  readonly begin: () => Promise<Begun>;
  /** The start of the window that is fetched, in network time. */
  readonly start: LocalTime;
  /** The descriptor of the file, with its series. */
  readonly descriptor: Descriptor;
  /** Of the file. */
  readonly rows: number;
  /** Whether it had a description. */
  readonly isDescribed: boolean;
}

/** Undefined where the file has no row. @throws {EntsError} usage, output: see `openUpdate`. */
export async function findContinued(
  facts: UpdateFacts,
  copy: OldCopy | undefined,
  { context, report }: Surroundings,
): Promise<Continued | undefined> {
  const { target, output, about } = facts;
  const { name } = target;
  const { descriptor: described, isCurrent } = await facts.describer.find(copy?.hash);
  const asked = describeOrigin(about, output);
  const check = () => described && checkOrigin(name, described, asked);
  const form = createFileForm(facts, described, isCurrent);
  const old = await inspectFile(target, form, copy?.state).catch((error: unknown) => {
    check();
    throw error;
  });
  if (!old || !copy) return undefined;
  check();
  const clock = findClock(facts, described, old);
  const fileStart = described?.start ?? checkFirstRow({ ...facts, name }, old, old.first.instant + clock.offset);
  const { from, start } = findWindow(facts, { old, clock, fileStart, now: context.now() });
  const splice = from === Number.NEGATIVE_INFINITY ? old.body.from : await findSplice(from, { ...old, target }, form);
  const holds =
    described && isCurrent
      ? { ...described, rows: described.files[0]?.rows ?? 0 }
      : await scanFile(facts, { old, form, clock, signal: context.signal });
  if (described && !isCurrent && Number.isFinite(from))
    checkRowsLeft(described, { ...holds, name, from, first: old.first, interval: facts.interval });
  const replaced = holds.series.filter(({ last }) => last >= from);
  if (!described) checkFilters(name, facts.query, replaced);
  if (!described)
    report.note(`${name} has no description (${findDescriptor(name)}); its columns, network, interval and first row fit this command`);
  else if (!isCurrent)
    report.warn(`${name} was changed by another program since ents wrote it; its rows are kept, and only the last ones are replaced`);
  const units = new Map(described?.series.map(({ metric, unit }) => [metric, unit]));
  const unverified = Math.min(from, isCurrent ? (described?.unverifiedBefore ?? Number.NEGATIVE_INFINITY) : from);
  const descriptor: Descriptor = {
    origin: asked.origin,
    start: fileStart,
    requests: described?.requests ?? [],
    // Wide rows have no units.
    series: holds.series.map((one) => ({ ...one, unit: one.unit || (units.get(one.metric) ?? "") })),
    files: [],
    unverifiedBefore: Number.isFinite(unverified) ? unverified : undefined,
    fillsGaps: described?.fillsGaps ?? holds.fillsGaps,
    sendsNulls: described?.sendsNulls,
    again: described?.again ?? (isCurrent ? undefined : findLost(described, holds)),
    unfilledSince: holds.unfilledSince,
    offset: described ? described.offset : clock.offset,
    stampSuffix: printsAsSent(output) ? findSuffix(old.last.stamp) : undefined,
  };
  const begin = () => copy.take(splice);
  return { old, form, clock, from, splice, begin, start, descriptor, rows: holds.rows, isDescribed: described !== undefined };
}

/** Gaps without nulls of a service that fills gaps: a lost description may have noted that they are to be fetched again. */
function findLost(described: Descriptor | undefined, { unfilledSince, rows }: Pick<Descriptor, "unfilledSince"> & { rows: number }) {
  // The description is older than the file, which has not lost rows to another program.
  const isOlder = described?.fillsGaps === true && rows >= (described.files[0]?.rows ?? 0);
  return isOlder && unfilledSince !== undefined ? { since: unfilledSince, tries: 0 } : undefined;
}

interface Scanned extends Pick<Continued, "old" | "form" | "clock"> {
  readonly signal: AbortSignal;
}

/** For a file without a current description. */
function scanFile({ target, output, interval }: UpdateFacts, { old, form, clock, signal }: Scanned) {
  const scanning = { pivot: output.layout.pivot, step: createStepOf(interval, clock.offset), signal };
  return withFile(target, (file) => scanSeries({ ...form, name: target.name, file, grid: old.grid }, old.body, scanning));
}

interface Standing {
  readonly old: OldFile;
  readonly clock: NetworkClock;
  readonly fileStart: LocalTime;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** @throws {EntsError} output: the file has rows of the future. */
function findWindow(facts: UpdateFacts, { old, clock, fileStart, now }: Standing): Pick<Continued, "from" | "start"> {
  const { target, query, output, interval, options, more } = facts;
  const { offset, slack } = clock;
  checkClock(target.name, old.last.instant, { query, now });
  const all = { from: Number.NEGATIVE_INFINITY, start: fileStart };
  if (more.since === Number.NEGATIVE_INFINITY) return all;
  // A season or a year may have the timestamp of a day in the future.
  const last = Math.min(old.last.instant, now + slack) + offset;
  let from = Math.min(reviseFrom(last, options.revise, interval), reachBack((more.since ?? old.last.instant) + offset, interval));
  const { zone, formatOptions } = output;
  while (formatOptions.timeFormat === "local" && isNearChange(zone, from - offset)) {
    from = reviseFrom(from, { amount: 1, unit: "days" }, interval);
  }
  if (from - slack <= fileStart) return all;
  return { from: from - offset, start: Math.max(fileStart, openWindow(from, interval, clock)) };
}
