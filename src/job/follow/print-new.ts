/** Formats that grow: a header, and rows without an end. */
import { EntsError } from "../../base/errors.ts";
import type { Report } from "../../base/report.ts";
import { formatList } from "../../base/phrases.ts";
import { encodeChunks, type Encoding } from "../../format/encode.ts";
import type { Encoded } from "../../format/format.ts";
import { OUTPUT_FLAGS } from "../../format/output-options.ts";
import { describeFormat, findFormats, type FormatName } from "../../format/registry.ts";
import { addColumns } from "../../series/layout/columns.ts";
import type { Column } from "../../series/layout/layout.ts";
import type { Chunk } from "../../series/merge.ts";
import { Printed } from "./printed.ts";
import type { News } from "./tracker.ts";

interface Printing extends Encoding {
  readonly formatName: FormatName;
}

/** @throws {EntsError} refused: a later bucket has columns that the header lacks; an answer cannot be read. */
export async function* printNew(rounds: AsyncIterable<News>, encoding: Printing, { note }: Pick<Report, "note">): AsyncGenerator<Encoded> {
  const printed = new Printed();
  const checkColumns = createColumnCheck(encoding.formatName);
  const { header } = encoding.formatOptions;
  let { columns } = encoding;
  let isFirst = true;
  for await (const news of rounds) {
    const { fresh, nextSince } = news;
    const change = printed.compare(news);
    if (change !== undefined) note(change);
    if (isEmpty(fresh)) continue;
    columns = addColumns(columns, fresh.timeSeries);
    const formatOptions = { ...encoding.formatOptions, header: header && isFirst };
    yield* encodeChunks(once(fresh), { ...encoding, formatOptions, columns, onColumns: checkColumns });
    isFirst = false;
    printed.add(fresh.timeSeries, nextSince);
  }
}

export function isEmpty({ timeSeries, unknown, incomplete }: Chunk): boolean {
  return !unknown && !incomplete && timeSeries.every(({ series }) => series.every(({ points }) => points.instants.length === 0));
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
