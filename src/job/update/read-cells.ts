/** Reads the stored responses of cells, one over the other. */
import type { KeptCell } from "../../kept/answer-folder.ts";
import { type Cell, type CellQuery, findUntil } from "../../kept/cells.ts";
import { layOver, listLayers } from "../../kept/layers.ts";
import { type Answer, createEmptyAnswer, isKnown, type KnownAnswer, selectUsed } from "../../series/answer.ts";
import { countValues, splitTimeSeries } from "../../series/overlap.ts";
import { findOffsetMs, mapPoints, type Series, type TimeSeries } from "../../series/time-series.ts";
import { prefetch } from "../../source/prefetch.ts";
import { DEFAULTS, readResponse } from "../../source/read-response.ts";
import type { Response } from "../../source/response.ts";
import type { LocalTime } from "../../time/local-time.ts";
import type { Build } from "../build.ts";
import type { KeptPlace } from "./open-cells.ts";

export interface Reader extends Pick<Build, "folder"> {
  readonly query: CellQuery;
}

/** What a place has. */
export interface PlaceContent {
  readonly answer: KnownAnswer;
  /** The number of points that have a value. */
  readonly values: number;
  /** The number of values that the newest response lacks. */
  readonly held: number;
  /** The stored responses that values are from. */
  readonly sources: readonly KeptCell[];
}

/** @throws {Damaged} a stored response cannot be read. */
export async function readPlace(place: Cell, answers: readonly KeptCell[], reader: Reader): Promise<PlaceContent> {
  const layers = listLayers(answers);
  return layAnswers(place, { layers, responses: await Promise.all(layers.map((layer) => reader.folder.read(layer))) }, reader);
}

interface Read {
  /** Newest first. */
  readonly layers: readonly KeptCell[];
  readonly responses: readonly (Response | undefined)[];
}

async function layAnswers(place: Cell, { layers, responses }: Read, { query }: Reader): Promise<PlaceContent> {
  let laid: KnownAnswer | undefined;
  let held = 0;
  const sources: KeptCell[] = [];
  for (const [index, layer] of layers.entries()) {
    const answer = await decode(responses[index], layer);
    const used = { ...trimToCell(answer, { ...place, asked: layer.window.start }, query), path: layer.path };
    const over = laid && layOver(laid.timeSeries, used.timeSeries);
    if (!over || over.held > 0) sources.push(layer);
    held += over?.held ?? 0;
    laid = laid ? { ...laid, timeSeries: over?.timeSeries ?? laid.timeSeries } : used;
  }
  const answer = laid ?? createEmptyAnswer(undefined, "");
  return { answer, held, sources, values: countValues(answer.timeSeries) };
}

/** A stored response that is gone or damaged. */
export class Damaged extends Error {
  readonly answer: KeptCell;

  constructor(answer: KeptCell) {
    super(`${answer.name} is damaged`);
    this.answer = answer;
  }
}

async function decode(response: Response | undefined, layer: KeptCell): Promise<KnownAnswer> {
  const isOpen = layer.window.end === undefined;
  const answer = response && (await readResponse(response, { ...DEFAULTS, isOpen }).catch(() => undefined));
  if (!answer || !isKnown(answer) || answer.incomplete) throw new Damaged(layer);
  return answer;
}

interface AskedCell extends Cell {
  /** The start of the response's window. */
  readonly asked?: LocalTime | undefined;
}

/** The part of a response that lies in a cell. A service with an inclusive end sends a first point of the next one. */
export function trimToCell(answer: KnownAnswer, { from, until, asked }: AskedCell, query: CellQuery): KnownAnswer {
  const used = selectUsed(answer, { ...query, measuredUntil: undefined }) as KnownAnswer;
  // Timestamps may lie before the window's start, where they are not that of an interval.
  const start = Math.max(from, query.window.start);
  const first = (asked ?? start) < start ? start : Number.NEGATIVE_INFINITY;
  return cutAnswer(used, query.network, { from: first, until });
}

/** The part of a place that an output has. */
export function cutToOutput({ answer }: PlaceContent, query: CellQuery): KnownAnswer {
  const cut = cutAnswer(answer, query.network, { from: Number.NEGATIVE_INFINITY, until: findUntil(query) });
  return selectUsed(cut, { ...query, parameters: [] }) as KnownAnswer;
}

/** Unchanged if the UTC offset of network time is unknown. */
function cutAnswer(answer: KnownAnswer, network: string, { from, until }: Cell): KnownAnswer {
  const offset = findOffsetMs(network, answer.timeSeries);
  const { timeSeries, whole = timeSeries } = answer;
  if (offset === undefined || (!Number.isFinite(from) && !Number.isFinite(until))) return answer;
  const [, rest] = splitTimeSeries(timeSeries, from - offset);
  const [cut] = splitTimeSeries(rest, until - offset);
  return { ...answer, timeSeries: dropEmptied(timeSeries, cut), whole };
}

/** Without the series that have lost all of their points. */
function dropEmptied(before: readonly TimeSeries[], after: readonly TimeSeries[]): TimeSeries[] {
  const count = (item: TimeSeries | undefined, index: number) => item?.series[index]?.points.instants.length ?? 0;
  return after.flatMap((item, at) => {
    const series = item.series.filter((_, index) => count(item, index) > 0 || count(before[at], index) === 0);
    return series.length > 0 || item.series.length === 0 ? [{ ...item, series }] : [];
  });
}

interface ReadOptions extends Reader, Pick<Build, "context"> {
  readonly concurrency: number;
  /** Called with what each place has, and with the part that the output has. */
  readonly onPlace?: ((place: KeptPlace, content: PlaceContent, part: KnownAnswer) => void) | undefined;
}

interface ReadPlace {
  readonly place: Cell;
  readonly answer: KnownAnswer;
}

/** The halves of a cell follow each other as windows do, also where other batches have it whole. */
function* splitHalves(read: readonly ReadPlace[], network: string): Generator<readonly Answer[]> {
  const cuts = [...new Set(read.map(({ place }) => place.from))].sort((a, b) => a - b);
  const isCut = ({ from, until }: Cell) => cuts.some((cut) => cut > from && cut < until);
  // The body of a response is freed with its first part.
  const all = read.map(({ place, answer }) => ({ place, answer: isCut(place) ? detach(answer) : answer }));
  for (const [index, from] of cuts.entries()) {
    const until = cuts[index + 1] ?? Number.POSITIVE_INFINITY;
    const inside = all.filter(({ place }) => place.from < until && place.until > from);
    yield inside.map(({ answer }) => cutAnswer(answer, network, { from: index === 0 ? Number.NEGATIVE_INFINITY : from, until }));
  }
}

/** With points of their own, which need no body. */
function detach(answer: KnownAnswer): KnownAnswer {
  const copy = ({ points: { timestamps, instants, values } }: Series) => ({ timestamps, instants, values });
  return { ...answer, timeSeries: mapPoints(answer.timeSeries, copy) };
}

/** Yields the content of each cell, in order of time, as its answers. @throws {Damaged} a stored response cannot be read. */
export async function* readCells(cells: readonly (readonly KeptPlace[])[], options: ReadOptions): AsyncGenerator<readonly Answer[]> {
  const { folder, query, concurrency, context, onPlace } = options;
  const contents = prefetch({
    concurrency,
    signal: context.signal,
    requests: cells.flat(),
    send: async (place) => {
      const layers = listLayers(place.answers);
      return { place, layers, responses: await Promise.all(layers.map((layer) => folder.read(layer))) };
    },
    read: ({ place, ...read }) => layAnswers(place, read, options),
  });
  try {
    for (const places of cells) {
      const read: ReadPlace[] = [];
      for (const place of places) {
        const content = await contents.take();
        const answer = cutToOutput(content, query);
        onPlace?.(place, content, answer);
        read.push({ place, answer });
      }
      yield* splitHalves(read, query.network);
    }
  } finally {
    await contents.cancel();
  }
}
