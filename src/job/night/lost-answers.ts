/** An output whose answers are not kept any more: all of it is fetched again, and the service may no longer have it all. */
import { join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { usageError } from "../../base/errors.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import type { Chunk } from "../../series/merge.ts";
import { SeriesLog } from "../../series/series-log.ts";
import type { Build, BuildTarget } from "../build.ts";
import { DESCRIPTOR } from "../destination/dataset/place.ts";
import { findDescriptor } from "../destination/interface.ts";
import { type Descriptor, readDescriptor } from "../package/descriptor.ts";

/** Undefined where there is none, or one that ents did not write. */
export function describeTarget({ kind, name }: BuildTarget, { cwd }: Pick<Context, "cwd">): Promise<Descriptor | undefined> {
  return readDescriptor(resolve(cwd, kind === "file" ? findDescriptor(name) : join(name, DESCRIPTOR)));
}

interface LostWatch {
  readonly onChunk: (chunk: Chunk) => void;
  /** When all has passed. @throws {EntsError} usage: a series begins later or ends earlier than before. */
  readonly check: () => void;
}

export async function watchLost({ target, context }: Build): Promise<LostWatch> {
  const before = (await describeTarget(target, context))?.series ?? [];
  const series = new SeriesLog();
  return {
    onChunk: ({ timeSeries }) => series.add(timeSeries),
    check: () => {
      const now = new Map(series.list().map((one) => [nameSeries(one), one]));
      const isLess = (one: Descriptor["series"][number]) => {
        const { first, last } = now.get(nameSeries(one)) ?? { first: Number.POSITIVE_INFINITY, last: 0 };
        return first > Date.parse(one.first) || last < Date.parse(one.last);
      };
      const less = before.find(isLess);
      if (!less) return;
      const values = Object.values(less.labels).filter((label) => typeof label === "string");
      throw usageError(
        `the service no longer has all of ${target.name}, and the answers that it was made from are not kept: it is unchanged (${[less.metric, ...values].join(" ")} was there from ${less.first} to ${less.last})`,
        `move it away, choose another file, or add ${UPKEEP_FLAGS.overwrite} to write what the service has`,
      );
    },
  };
}

function nameSeries({ metric, labels }: { readonly metric: string; readonly labels: object }): string {
  return JSON.stringify([metric, labels]);
}
