/** Updates an output whose stored responses are lost: fetches everything again, and fails if the service no longer has all of it. */
import { join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { usageError } from "../../base/errors.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { latestInstant } from "../../plan/plan.ts";
import type { Chunk } from "../../series/merge.ts";
import { SeriesLog } from "../../series/series-log.ts";
import type { Build, BuildTarget } from "../build.ts";
import { DESCRIPTOR } from "../destination/dataset/partition.ts";
import { findDescriptor } from "../destination/interface.ts";
import { type Descriptor, readDescriptor } from "../package/descriptor.ts";

/** The output's description; undefined if ents has written none. */
export function describeTarget({ kind, name }: BuildTarget, { cwd }: Pick<Context, "cwd">): Promise<Descriptor | undefined> {
  return readDescriptor(resolve(cwd, kind === "file" ? findDescriptor(name) : join(name, DESCRIPTOR)));
}

interface LostWatch {
  readonly onChunk: (chunk: Chunk) => void;
  /** Called after the last chunk. @throws {EntsError} usage: a series is gone, or begins later than before. */
  readonly check: () => void;
}

export async function watchMissingSeries({ target, context, parts }: Build): Promise<LostWatch> {
  const { network, window } = parts.plan.query;
  const start = window.start === undefined ? 0 : latestInstant(network, window.start);
  const before = (await describeTarget(target, context))?.series ?? [];
  const series = new SeriesLog();
  return {
    onChunk: ({ timeSeries }) => series.add(timeSeries),
    check: () => {
      const now = new Map(series.list().map((one) => [nameSeries(one), one]));
      const isLess = (one: Descriptor["series"][number]) => {
        const [first, last] = [one.first, one.last].map((stamp) => Date.parse(stamp)) as [number, number];
        const found = now.get(nameSeries(one));
        // Points before the start are not fetched.
        return found ? first >= start && found.first > first : last >= start;
      };
      const less = before.find(isLess);
      if (!less) return;
      const values = Object.values(less.labels).filter((label) => typeof label === "string");
      throw usageError(
        `${target.name} is unchanged: its answers are not kept any more, and the service no longer has all of it (${[less.metric, ...values].join(" ")} was there from ${less.first} to ${less.last})`,
        `move it away, choose another file, or add ${UPKEEP_FLAGS.overwrite} to write what the service has`,
      );
    },
  };
}

function nameSeries({ metric, labels }: { readonly metric: string; readonly labels: object }): string {
  return JSON.stringify([metric, labels]);
}
