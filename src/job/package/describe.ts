/** `--datapackage`: describes a finished file in another one beside it. */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Context } from "../../base/context.ts";
import { usageError } from "../../base/errors.ts";
import { hashFile } from "../../files/hash-file.ts";
import { AnswerLog } from "../../format/datapackage.ts";
import type { About } from "../../format/format.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import type { Column } from "../../series/layout/table.ts";
import { SeriesLog } from "../../series/series-log.ts";
import { type Destination, writeParts } from "../destination/destination.ts";
import { resolveTarget } from "../destination/target.ts";
import type { Observer } from "../observer.ts";
import type { Output } from "../output.ts";
import { describeResult } from "./describe-result.ts";
import { findDescriptor, listKeptSeries } from "./kept.ts";

export interface Described {
  readonly output: Output;
  /** With the whole query. */
  readonly about: About;
  readonly destination: Pick<Destination, "kept">;
  /** The rows that were written. */
  readonly countRows: () => number;
}

/** @throws {EntsError} usage: the output is no file; output: the description cannot be written. */
export async function createDescriber({ output, about, destination, countRows }: Described, context: Context): Promise<Observer> {
  const { target } = output;
  if (target?.kind !== "file") throw usageError(`${UPKEEP_FLAGS.datapackage} needs a file`, "use the name of a file");
  const descriptor = await resolveTarget(findDescriptor(target.name), context);
  let columns: readonly Column[] = [];
  let answers = new AnswerLog();
  let series = new SeriesLog();
  return {
    start: () => {
      answers = new AnswerLog();
      series = new SeriesLog(listKeptSeries(destination.kept));
    },
    columns: (known) => {
      columns = known;
    },
    take: ({ heads, timeSeries }) => {
      answers.add(heads);
      series.add(timeSeries);
    },
    finish: async () => {
      const { kept } = destination;
      const file = await describeFile(target.path);
      const rows = countRows() + (kept?.rows ?? 0);
      const described = describeResult({ output, about, columns, answers, series, kept, files: [{ ...file, rows }] });
      await writeParts(descriptor, [described], context);
    },
  };
}

async function describeFile(path: string) {
  const { size } = await stat(path);
  return { path: basename(path), bytes: size, hash: await hashFile(path) };
}
