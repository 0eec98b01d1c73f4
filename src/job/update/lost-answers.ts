/** Holds the result of an update that has lost stored responses, all or some, against what the output has. */
import { join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { usageError } from "../../base/errors.ts";
import { formatCount, formatNumber } from "../../base/phrases.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { latestInstant } from "../../plan/plan.ts";
import type { Chunk } from "../../series/merge.ts";
import { countValues } from "../../series/overlap.ts";
import { SeriesLog } from "../../series/series-log.ts";
import type { LocalTime } from "../../time/local-time.ts";
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
  /**
   * Called after the last chunk. `gone`: the number of values that are known to be gone, from the responses that are left.
   * @throws {EntsError} usage: a series is gone, begins later than before, or more values are gone.
   */
  readonly check: (gone: number) => void;
}

/** Watches the result of an update that has lost all responses, or some: it must have what the output has. */
export async function watchLost({ target, context, parts, folder }: Build, areAll: boolean): Promise<LostWatch> {
  const { network, window } = parts.plan.query;
  const instantOf = (local: LocalTime | undefined, otherwise: number) => (local === undefined ? otherwise : latestInstant(network, local));
  const [start, end] = [instantOf(window.start, 0), instantOf(window.end, Number.POSITIVE_INFINITY)];
  const { files = [], series: before = [] } = (await describeTarget(target, context)) ?? {};
  const run = folder.journal.runs.at(-1);
  const values = run?.values ?? files.reduce((sum, file) => sum + (file.values ?? 0), 0);
  const until = run?.last ?? Math.max(...before.map(({ last }) => Date.parse(last)));
  // Where the window is a smaller one, values may be left out.
  const isAsLarge =
    end > until && instantOf(run?.start ?? undefined, start) >= start && before.every(({ first }) => Date.parse(first) >= start);
  const series = new SeriesLog();
  let found = 0;
  return {
    onChunk: ({ timeSeries }) => {
      series.add(timeSeries);
      found += countValues(timeSeries, until + 1);
    },
    check: (gone) => {
      const now = new Map(series.list().map((one) => [nameSeries(one), one]));
      const isLess = (one: Descriptor["series"][number]) => {
        const [first, last] = [one.first, one.last].map((stamp) => Date.parse(stamp)) as [number, number];
        const other = now.get(nameSeries(one));
        // Points before the start are not fetched.
        return other ? first >= start && other.first > first : last >= start;
      };
      // Of what is left, the comparison tells whether a series was withdrawn.
      const less = areAll ? before.find(isLess) : undefined;
      if (less) {
        const labels = Object.values(less.labels).filter((label) => typeof label === "string");
        throw refuse(target, `${[less.metric, ...labels].join(" ")} was there from ${less.first} to ${less.last}`);
      }
      const missing = values - gone - found;
      if (isAsLarge && missing > 0) throw refuse(target, `${formatNumber(missing)} of ${formatCount(values, "value")} are missing`);
    },
  };
}

function refuse({ name }: BuildTarget, what: string): Error {
  return usageError(
    `${name} is unchanged: some of its stored responses are lost, and the service no longer has all of their data (${what})`,
    `restore the stored responses from a backup, choose another file, or add ${UPKEEP_FLAGS.overwrite} to write what the service has`,
  );
}

function nameSeries({ metric, labels }: { readonly metric: string; readonly labels: object }): string {
  return JSON.stringify([metric, labels]);
}
