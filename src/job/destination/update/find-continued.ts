/** What an update keeps of a file that has rows already, and from when on it fetches. */
import type { Hash } from "node:crypto";
import { networkNow } from "../../../plan/plan.ts";
import { listQueryLabels } from "../../../query/pivot.ts";
import { hashFile } from "../../../files/hash-file.ts";
import { addColumns, startColumns } from "../../../series/layout/columns.ts";
import { createLayout } from "../../../series/layout/create-layout.ts";
import { DAY, type LocalTime, MINUTE } from "../../../time/local-time.ts";
import { createStampReader, isNearChange } from "../../../time/zones.ts";
import { checkOrigin, type Descriptor } from "../../package/descriptor.ts";
import { findDescriptor } from "../../package/kept.ts";
import { describeOrigin } from "../../package/origin.ts";
import { checkClock } from "../continue/check-clock.ts";
import { checkFirstRow, refuseHeaderless } from "./check-rows.ts";
import { checkFilters } from "./check-tail.ts";
import { toItems } from "../continue/known-columns.ts";
import { type FileForm, findSplice, inspectFile, type OldFile, withFile } from "./old-file.ts";
import type { Surroundings } from "../interface.ts";
import type { UpdateFacts } from "./facts.ts";
import { reviseFrom } from "../continue/revise.ts";
import { scanSeries } from "./scan-series.ts";
import { createTextForm } from "./text-form.ts";

/** A file, and from where on it is written anew. */
export interface Continued {
  readonly old: OldFile;
  readonly form: FileForm;
  /** Rows from this instant on are replaced, in milliseconds since 1970 UTC; -Infinity for all. */
  readonly from: number;
  /** Where they start, in bytes. */
  readonly splice: number;
  /** The unfinished hash of the bytes before that. */
  readonly head: Hash;
  /** Of the window that is fetched, in network time. */
  readonly start: LocalTime;
  /** Of the file, with its series. */
  readonly descriptor: Descriptor;
  /** Of the file. */
  readonly rows: number;
  /** Whether it had a description. */
  readonly isDescribed: boolean;
}

/** Undefined where the file has no row. @throws {EntsError} usage, output: see `openUpdate`. */
export async function findContinued(facts: UpdateFacts, { context, report }: Surroundings): Promise<Continued | undefined> {
  const { target, output, about } = facts;
  const { name } = target;
  const hashed = target.old && (await withFile(target, () => hashFile(target.path)));
  const { descriptor: described, isCurrent } = await facts.describer.find(hashed?.hash);
  const asked = describeOrigin(about, output);
  const check = () => described && checkOrigin(name, described, asked);
  const form = createFileForm(facts, described, isCurrent);
  if (form.form.names === "nowhere" && !form.names && target.old?.size) throw refuseHeaderless(name);
  const old = await inspectFile(target, form).catch((error: unknown) => {
    check();
    throw error;
  });
  if (!old || !hashed) return undefined;
  check();
  const first = old.first.instant + (facts.networkOffset ?? 0) * MINUTE;
  const fileStart = described?.start ?? checkFirstRow({ ...facts, name }, old, first);
  const { from, start } = findWindow(facts, { old, fileStart, now: context.now() });
  const splice = from === Number.NEGATIVE_INFINITY ? old.body.from : await findSplice(from, { ...old, target }, form);
  const scan = isCurrent
    ? undefined
    : await withFile(target, (file) => scanSeries({ ...form, name, file, grid: old.grid }, old.body, output.layout.pivot));
  const series = scan?.series ?? described?.series ?? [];
  const replaced = series.filter(({ last }) => last >= from);
  if (!described) checkFilters(name, facts.query, replaced);
  if (!described)
    report.note(`${name} has no description (${findDescriptor(name)}); its columns, network, interval and first row fit this command`);
  else if (!isCurrent)
    report.warn(`${name} is not as its description says: another program has changed it; what is in it stays, but for its last rows`);
  const unverified = Math.min(from, isCurrent ? (described?.unverifiedBefore ?? Number.NEGATIVE_INFINITY) : from);
  const descriptor = {
    origin: asked.origin,
    start: fileStart,
    requests: described?.requests ?? [],
    series,
    files: [],
    unverifiedBefore: Number.isFinite(unverified) ? unverified : undefined,
  };
  const rows = scan?.rows ?? described?.files[0]?.rows ?? 0;
  return { old, form, from, splice, start, descriptor, rows, head: await hashed.startOf(splice), isDescribed: described !== undefined };
}

function createFileForm({ query, output, networkOffset }: UpdateFacts, described: Descriptor | undefined, isCurrent: boolean): FileForm {
  const { layout, zone, formatOptions } = output;
  const { metrics, interval } = query;
  const known = addColumns(startColumns(metrics, { interval, pivot: layout.pivot }), toItems(described?.series ?? []));
  const { columns } = createLayout(layout, known);
  const labels = [
    ...columns.filter(({ kind }) => kind === "text").map((column) => column.name),
    ...listQueryLabels(query),
    "network_label",
  ];
  return {
    form: createTextForm(output),
    readStamp: createStampReader(zone.name, formatOptions.timeFormat ?? "iso", networkOffset),
    columns: { layout, metrics, labels },
    names: isCurrent && described ? columns.map((column) => column.name) : undefined,
  };
}

interface Standing {
  readonly old: OldFile;
  readonly fileStart: LocalTime;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** @throws {EntsError} output: the file has rows of a time to come. */
function findWindow(facts: UpdateFacts, { old, fileStart, now }: Standing): Pick<Continued, "from" | "start"> {
  const { target, query, output, interval, networkOffset, options } = facts;
  const localNow = networkNow(query.network, now) ?? Number.POSITIVE_INFINITY;
  // Without the offset, UTC: a day more than it can differ.
  const offset = (networkOffset ?? 0) * MINUTE;
  const slack = networkOffset === undefined ? DAY : 0;
  // Of a season or a year, the timestamp may be a day to come.
  const last = Math.min(old.last.instant + offset, localNow);
  let revision = reviseFrom(last, options.revise, interval);
  const { zone, formatOptions } = output;
  while (formatOptions.timeFormat === "local" && isNearChange(zone.name, revision.from - offset)) {
    revision = reviseFrom(revision.from, { amount: 1, unit: "days" }, interval);
  }
  checkClock(target.name, { instant: old.last.instant, interval, now, ends: query.window.end !== undefined });
  if (revision.from - slack <= fileStart) return { from: Number.NEGATIVE_INFINITY, start: fileStart };
  return { from: revision.from - offset, start: Math.max(fileStart, revision.start - slack) };
}
