/** `--null`: refuses a text that other cells may have too, as an update could not tell them from nulls. */
import { type EntsError, usageError } from "../../../base/errors.ts";
import { toJsonText } from "../../../base/json.ts";
import { writeNull, writeText } from "../../../format/delimited.ts";
import { describeFormat } from "../../../format/registry.ts";
import { OUTPUT_FLAGS, OUTPUT_OPTIONS } from "../../../format/output-options.ts";
import type { Chunk } from "../../../series/merge.ts";
import type { Label, TimeSeries } from "../../../series/time-series.ts";
import type { Output } from "../../output.ts";

/** @throws {EntsError} usage: it is a number. */
export function checkNullText({ formatOptions, target }: Output): void {
  const { null: text = "" } = formatOptions;
  if (/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) throw refuse(target?.name, text, "a number");
}

/** @throws {EntsError} usage: it is the value of a label. */
export async function* checkNullCells(chunks: AsyncIterable<Chunk>, output: Output): AsyncGenerator<Chunk> {
  const { formatName, formatOptions, layout, target } = output;
  const { null: nullText = "" } = formatOptions;
  const { delimiter } = describeFormat(formatName);
  if (nullText === "" || delimiter === undefined) {
    yield* chunks;
    return;
  }
  const cell = writeNull(nullText, delimiter);
  const checked = new Set<string>();
  for await (const chunk of chunks) {
    for (const [column, text] of listTexts(chunk.timeSeries)) {
      if (checked.has(text) || column === layout.pivot) continue;
      if (writeText(text, delimiter) === cell) throw refuse(target?.name, nullText, `a ${column}`);
      checked.add(text);
    }
    yield chunk;
  }
}

function listTexts(timeSeries: readonly TimeSeries[]): [column: string, text: string][] {
  return timeSeries.flatMap(({ network, metric, unit, series }) =>
    series.flatMap(({ labels }) =>
      Object.entries<Label>({ network, metric, unit, ...labels }).flatMap(([column, value]): [string, string][] =>
        value === null ? [] : [[column, typeof value === "string" ? value : toJsonText(value)]],
      ),
    ),
  );
}

function refuse(file: string | undefined, text: string, what: string): EntsError {
  return usageError(
    `cannot update ${file}: ${OUTPUT_FLAGS.null} ${text} is also ${what}, and an update could not tell the two apart`,
    `use another text with ${OUTPUT_FLAGS.null}, and another file with ${OUTPUT_OPTIONS.output.short}`,
  );
}
