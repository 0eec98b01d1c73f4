/**
 * Which files of a dataset a night need not write: those that are as it left them, and are made of the same answers.
 *
 * What a file is made of has a key. The digests of all answers are merged as answers are, and the key is a hash of what of that
 * is in the file's period; of the answers that have points both before its end and after its start (their hashes: a digest lacks
 * points); of the columns, and of the flags. Other answers have none of its points, and what else they bring, such as the nulls
 * of a gap that ends there, comes from first and last points, which digests have.
 */
import { createHash, type Hash, randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Json, toJsonText } from "../../base/json.ts";
import { FORMAT_FLAGS } from "../../format/flags.ts";
import type { Digests } from "../../kept/digests.ts";
import { readKept } from "../../kept/read-kept.ts";
import { readLines, writeLines } from "../../kept/sealed-lines.ts";
import { type Answer, isKnown } from "../../series/answer.ts";
import { mergeWindows } from "../../series/merge.ts";
import { findOffsetMs } from "../../series/network-offset.ts";
import { countPoints, findFirstInstant, findLastInstant } from "../../series/overlap.ts";
import type { LayoutOptions } from "../../series/layout/layout.ts";
import type { KnownColumns } from "../../series/layout/columns.ts";
import type { Series, TimeSeries } from "../../series/time-series.ts";
import type { Source } from "../../source/source.ts";
import { readWindows } from "../../source/windows.ts";
import type { LocalTime } from "../../time/local-time.ts";
import type { Build } from "../build.ts";
import { listPartitions, nameData, nameFile, splitPartitions } from "../destination/dataset/partition.ts";
import type { FolderTarget } from "../destination/target.ts";
import type { Gathered } from "../gather.ts";
import type { Output } from "../output.ts";
import type { DescribedFile } from "../package/descriptor.ts";
import { describeTarget } from "./lost-answers.ts";

export interface CurrentFiles {
  readonly files: readonly DescribedFile[];
  /** All answers, those with the points of the other files whole. */
  readonly source: Source;
  /** When these are in their places. */
  readonly remember: () => Promise<void>;
}

type Night = Build & { readonly digests: Digests };
type DatasetNight = Night & { readonly target: FolderTarget };

const FILE = "files";

/** Once all answers are at hand; undefined for an output that is one file. */
export async function findCurrentFiles(gathered: Gathered, { target, ...rest }: Night): Promise<CurrentFiles | undefined> {
  if (target.kind === "file") return undefined;
  const night = { ...rest, target };
  const { folder, context, parts, digests } = night;
  const whole = readKept(folder, parts.service.client);
  const { keys, held } = await keyFiles(
    gathered,
    digests.standIn(whole, () => false),
    night,
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

/** Size and times of a file: one that was changed has others. */
async function findState(path: string): Promise<string> {
  const status = await stat(path).catch(() => undefined);
  return status ? `${status.size} ${status.mtimeMs} ${status.ctimeMs} ${status.ino}` : "none";
}

interface Keyed {
  /** The key of each file. */
  readonly keys: ReadonlyMap<string, string>;
  /** By the path of its request: the files that have points of an answer, and the network time of its last point. */
  readonly held: ReadonlyMap<string, { readonly files: readonly string[]; readonly last: LocalTime }>;
}

async function keyFiles({ plan, columns, gaps }: Gathered, source: Source, { target, request, context }: DatasetNight): Promise<Keyed> {
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

/** An answer that has points. */
interface Looked {
  /** The path of its request. */
  readonly path: string;
  /** Its first and last point, in milliseconds since 1970 UTC. */
  readonly first: number;
  readonly last: number;
  /** A hash of its points, and the cells that are joined to them. */
  readonly hash: string;
}

type Windows = AsyncIterable<readonly Answer[]>;

async function* lookAt(windows: Windows, looked: Looked[], { join: joined }: LayoutOptions): AsyncGenerator<readonly Answer[]> {
  for await (const answers of windows) {
    for (const { timeSeries, path = "", seen } of answers.filter(isKnown)) {
      const [first, last] = [findFirstInstant(timeSeries), findLastInstant(timeSeries)];
      const cells = joined && timeSeries.flatMap(({ series }) => series.map(({ labels }) => joined.cellsOf(labels)));
      // One without a digest is never the same.
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
