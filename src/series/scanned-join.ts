/** Makes points in bytes of other ones. */
import { Body } from "./body.ts";
import { type ScannedColumns, ScannedPoints } from "./scanned-points.ts";

/** Bytes after the last value: whoever copies them takes words of 4. */
const SPARE = Buffer.alloc(4);
/** Positions have 32 bits; larger buffers are not copied twice. */
const MAX_BYTES = 2 ** 30;

/** Points without values; their timestamps are of one length. */
export function createNulls(stamps: readonly string[], instants: readonly number[]): ScannedPoints {
  const stampLength = stamps[0]?.length ?? 0;
  return new ScannedPoints({
    body: new Body(Buffer.concat([Buffer.from(stamps.join(""), "latin1"), SPARE])),
    stampLength,
    starts: Uint32Array.from(stamps, (_, index) => index * stampLength),
    instants: Float64Array.from(instants),
    gaps: new Uint8Array(stamps.length).fill(stampLength),
    lengths: new Uint8Array(stamps.length),
  });
}

/** The points of all parts in one buffer, in their order; undefined where timestamps differ in length, or there are too many bytes. */
export function concatScanned(parts: readonly ScannedPoints[]): ScannedPoints | undefined {
  const all = parts.map(({ columns }) => columns);
  const [first] = all;
  const regions = all.map(findRegion);
  const size = regions.reduce((sum, [start, end]) => sum + end - start, 0);
  if (!first || size > MAX_BYTES || all.some(({ stampLength }) => stampLength !== first.stampLength)) return undefined;
  let copied = 0;
  const starts = all.map((columns, index) => {
    const [start, end] = regions[index] as Region;
    const shift = copied - start;
    copied += end - start;
    return columns.starts.map((position) => position + shift);
  });
  const count = starts.reduce((sum, { length }) => sum + length, 0);
  return new ScannedPoints({
    body: new Body(Buffer.concat([...all.map(({ body }, index) => body.bytes.subarray(...(regions[index] as Region))), SPARE])),
    stampLength: first.stampLength,
    starts: fill(new Uint32Array(count), starts),
    instants: fill(
      new Float64Array(count),
      all.map(({ instants }) => instants),
    ),
    gaps: fill(
      new Uint8Array(count),
      all.map(({ gaps }) => gaps),
    ),
    lengths: fill(
      new Uint8Array(count),
      all.map(({ lengths }) => lengths),
    ),
  });
}

type Region = readonly [start: number, end: number];

/** From the first timestamp to the end of the last value. */
function findRegion({ starts, gaps, lengths }: ScannedColumns): Region {
  const last = starts.length - 1;
  return last < 0 ? [0, 0] : [starts[0] as number, (starts[last] as number) + (gaps[last] as number) + (lengths[last] as number)];
}

function fill<T extends { set(values: T, offset: number): void; readonly length: number }>(column: T, parts: readonly T[]): T {
  let at = 0;
  for (const part of parts) {
    column.set(part, at);
    at += part.length;
  }
  return column;
}
