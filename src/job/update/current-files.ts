/**
 * Finds the files of a dataset that an update need not write: those unchanged since the last run and made from the same responses.
 *
 * Each file has a key, which identifies the data that it is made from. To compute it, the digests of all responses are merged
 * as responses are. The key is a hash of:
 * - the merged points in the file's period;
 * - the hashes of the responses with points both before its end and after its start, as a digest lacks points;
 * - the columns and the flags.
 *
 * Other responses have no points in the file. They can affect it only by their first and last points, for example through the
 * nulls of a gap that ends there, and digests have those points.
 */
import { createHash, type Hash, randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Json, toJsonText } from "../../base/json.ts";
import { FORMAT_FLAGS } from "../../format/flags.ts";
import { type Digests, readLines, writeLines } from "../../kept/digests.ts";
import { readKept } from "../../kept/keep-answers.ts";
import { type Answer, isKnown } from "../../series/answer.ts";
import { mergeWindows } from "../../series/merge.ts";
import { findOffsetMs, type Series, type TimeSeries } from "../../series/time-series.ts";
import { countPoints, findFirstInstant, findLastInstant } from "../../series/overlap.ts";
import type { LayoutOptions } from "../../series/layout/layout.ts";
import type { KnownColumns } from "../../series/layout/columns.ts";
import type { Source } from "../../source/source.ts";
import { readWindows } from "../../source/windows.ts";
import type { LocalTime } from "../../time/local-time.ts";
import { type Build, openSource } from "../build.ts";
import { listPartitions, nameData, nameFile, splitPartitions } from "../destination/dataset/partition.ts";
import type { FolderTarget } from "../destination/target.ts";
import type { Gathered } from "../gather.ts";
import type { Output } from "../output.ts";
import type { DescribedFile } from "../package/descriptor.ts";
import { describeTarget } from "./lost-answers.ts";

export interface CurrentFiles {
  readonly files: readonly DescribedFile[];
  /** The responses for the other files: complete if their points are needed, otherwise digests. */
  readonly source: Source;
  /** Saves the keys of all files. Called once all files are in place. */
  readonly remember: () => Promise<void>;
}

type DigestedBuild = Build & { readonly digests: Digests };
type DatasetBuild = DigestedBuild & { readonly target: FolderTarget };

const FILE = "files";

/** Undefined for an output that is a single file. */
export async function findCurrentFiles(gathered: Gathered, { target, ...rest }: DigestedBuild): Promise<CurrentFiles | undefined> {
  if (target.kind === "file") return undefined;
  const dataset = { ...rest, target };
  const { folder, context, parts, digests } = dataset;
  const whole = readKept(folder, openSource(dataset, folder));
  const { keys, held } = await keyFiles(
    gathered,
    digests.standIn(whole, () => false),
    dataset,
  );
  const kept = new Set(await readLines(folder.locate(FILE), context.version));
  const listMade = (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => [path, keys.get(path), await findState(join(target.path, path))].join("\t")));
  const paths = [...keys.keys()];
  const described = new Map((await describeTarget(target, context))?.files.map((file) => [file.path, file]));
  const made = await listMade(paths);
  const files = paths.flatMap((path, index) => (kept.has(made[index] as string) ? (described.get(path) ?? []) : []));
  const current = new Set(files.map(({ path }) => path));
  const needed = Math.min(...parts.observers.map(({ needsFrom }) => needsFrom));
  return {
    files,
    source: digests.standIn(whole, ({ path }) => {
      const { files: its, last } = held.get(path) ?? { files: [], last: 0 };
      return last >= needed || !its.every((one) => current.has(one));
    }),
    remember: async () => {
      const others = await listMade(paths.filter((path) => !current.has(path)));
      await writeLines(folder.locate(FILE), context.version, [
        ...made.filter((_, index) => current.has(paths[index] as string)),
        ...others,
      ]);
    },
  };
}

/** Size, times and inode, to detect a changed file. */
async function findState(path: string): Promise<string> {
  const status = await stat(path).catch(() => undefined);
  return status ? `${status.size} ${status.mtimeMs} ${status.ctimeMs} ${status.ino}` : "none";
}

interface Keyed {
  readonly keys: ReadonlyMap<string, string>;
  /** By request path: the files with points of the response, and the time of its last point, in network time. */
  readonly held: ReadonlyMap<string, { readonly files: readonly string[]; readonly last: LocalTime }>;
}

async function keyFiles({ plan, columns, gaps }: Gathered, source: Source, { target, request, context }: DatasetBuild): Promise<Keyed> {
  const { output, options } = request;
  const basis = toJsonText([context.version, describeFlags(output), describeColumns(columns)]);
  const fileName = nameData(output.formatName);
  const hashes = new Map<string, Hash>();
  const add = (start: LocalTime, text: string) => {
    const path = nameFile(target.period, start, fileName);
    const hash = hashes.get(path) ?? createHash("sha256").update(basis);
    hashes.set(path, hash.update(`\n${text}`));
    return path;
  };
  const looked: Looked[] = [];
  const windows = readWindows(plan, { source, concurrency: options.concurrency, signal: context.signal, warn: () => {} });
  let offset: number | undefined;
  for await (const { timeSeries } of mergeWindows(lookAt(windows, looked, output.layout), () => {}, { gaps })) {
    if (countPoints(timeSeries) > 0) offset ??= findOffsetMs(plan.query.network, timeSeries) ?? 0;
    for (const part of splitPartitions(timeSeries, target.period, offset ?? 0)) add(part.start, describePart(part.timeSeries));
  }
  const held = new Map<string, { files: string[]; last: LocalTime }>();
  for (const { path, hash, ...answer } of looked) {
    const [first, last] = [answer.first + (offset ?? 0), answer.last + (offset ?? 0)];
    const files = Array.from(listPartitions(target.period, first, last), (start) => add(start, hash));
    held.set(path, { files: [...(held.get(path)?.files ?? []), ...files], last: Math.max(last, held.get(path)?.last ?? last) });
  }
  return { held, keys: new Map(Array.from(hashes, ([path, hash]) => [path, hash.digest("base64url")])) };
}

/** A response with points. */
interface Looked {
  /** The path of its request. */
  readonly path: string;
  /** The instants of its first and last point, in milliseconds since 1970 UTC. */
  readonly first: number;
  readonly last: number;
  /** A hash of its points, followed by the cells joined to them. */
  readonly hash: string;
}

type Windows = AsyncIterable<readonly Answer[]>;

async function* lookAt(windows: Windows, looked: Looked[], { join: joined }: LayoutOptions): AsyncGenerator<readonly Answer[]> {
  for await (const answers of windows) {
    for (const { timeSeries, path = "", seen } of answers.filter(isKnown)) {
      const [first, last] = [findFirstInstant(timeSeries), findLastInstant(timeSeries)];
      const cells = joined && timeSeries.flatMap(({ series }) => series.map(({ labels }) => joined.cellsOf(labels)));
      // Without a digest, a response must not equal any other.
      const hash = `${seen?.hash ?? randomUUID()} ${toJsonText(cells ?? null)}`;
      if (first <= last) looked.push({ path, first, last, hash });
    }
    yield answers;
  }
}

function describePart(timeSeries: readonly TimeSeries[]): string {
  const describe = ({ labels, points }: Series): Json => [labels, [...points.stamps], [...points.values]];
  const filled = ({ points }: Series) => points.instants.length > 0;
  return toJsonText(
    timeSeries.map(({ network, metric, unit, fields, series }) => [
      [network, metric, unit, fields["interval"] ?? null, fields["network_timezone_offset"] ?? null],
      series.filter(filled).map(describe),
    ]),
  );
}

function describeFlags({ formatName, formatOptions, zone }: Output): string {
  const flags = Object.entries(formatOptions).filter(([name]) => name in FORMAT_FLAGS);
  return JSON.stringify([formatName, zone.name, Object.fromEntries(flags)]);
}

function describeColumns({ requested, interval, labelLists, units, booleans, pivot }: KnownColumns): Json {
  return [requested, interval ?? null, labelLists, [...units], [...booleans], pivot ? [pivot.label, pivot.values] : null];
}
