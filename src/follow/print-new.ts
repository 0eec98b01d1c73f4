/**
 * Formats that can grow: one header, then rows without end. Changes to rows already printed are noted on standard
 * error.
 */
import { EntsError } from "../base/errors.ts";
import { formatCount, formatList } from "../base/phrases.ts";
import type { Report } from "../base/report.ts";
import { shortenText } from "../base/shown-text.ts";
import { encodeChunks, type Encoding, isEmpty } from "../format/encode.ts";
import type { Encoded } from "../format/format.ts";
import { OUTPUT_FLAGS } from "../format/output-options.ts";
import { describeFormat, findFormats, type FormatName } from "../format/registry.ts";
import type { Change } from "../store/compare.ts";
import { addColumns } from "../series/layout/columns.ts";
import type { Column } from "../series/layout/layout.ts";
import type { Chunk } from "../series/merge.ts";
import type { News } from "./tracker.ts";

interface RoundEncoding extends Encoding {
  readonly formatName: FormatName;
}

/** @throws {EntsError} refused: a later interval has columns that the header lacks, or a response cannot be read. */
export async function* printNew(
  rounds: AsyncIterable<News>,
  encoding: RoundEncoding,
  { note }: Pick<Report, "note">,
): AsyncGenerator<Encoded> {
  const checkColumns = createColumnCheck(encoding.formatName);
  const { header } = encoding.formatOptions;
  let { columns } = encoding;
  let isFirst = true;
  for await (const { fresh, changes } of rounds) {
    if (changes.length > 0) note(describeChanges(changes));
    if (isEmpty(fresh)) continue;
    columns = addColumns(columns, fresh.timeSeries);
    const formatOptions = { ...encoding.formatOptions, header: header && isFirst };
    yield* encodeChunks(once(fresh), { ...encoding, formatOptions, columns, onColumns: checkColumns });
    isFirst = false;
  }
}

export async function* once(chunk: Chunk): AsyncGenerator<Chunk> {
  yield chunk;
}

const NAMING = findFormats(({ namesColumns }) => namesColumns);

function createColumnCheck(formatName: FormatName): (columns: readonly Column[]) => void {
  let header: readonly string[] | undefined;
  return (columns) => {
    const names = columns.map(({ name }) => name);
    header ??= names;
    const added = names.filter((name) => !header?.includes(name));
    if (added.length === 0 || describeFormat(formatName).namesColumns) return;
    throw new EntsError("refused", `the newest values have a column that the header lacks: ${added.join(", ")}`, {
      hint: `run the command again, or use ${OUTPUT_FLAGS.format} ${formatList(NAMING, "or")}, where columns may come and go`,
    });
  };
}

function describeChanges(changes: readonly Change[]): string {
  const count = (isOfKind: (change: Change) => boolean, [one, many]: readonly [string, string]) => {
    const amount = changes.filter(isOfKind).length;
    return amount === 0 ? [] : `${formatCount(amount, "value")} ${amount === 1 ? one : many}`;
  };
  const counts = [
    count(({ old }) => old === undefined, ["came late", "came late"]),
    count(({ old, now }) => old !== undefined && now !== undefined, ["was restated", "were restated"]),
    count(({ now }) => now === undefined, ["was withdrawn", "were withdrawn"]),
  ].flat();
  const [{ metric, labels, timestamp, old, now = "null" }] = changes as [Change];
  const series = shortenText([metric, ...Object.values(labels)].join(" "));
  const was = old === undefined ? "" : ` instead of ${old}`;
  return `${formatList(counts, "and")}, not printed: ${changes.length > 1 ? "the first is " : ""}${series} at ${timestamp}, ${now}${was}`;
}
