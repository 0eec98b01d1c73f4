/** Points of the future, of which an update has none: no later run could tell them from those of a clock that was wrong. */
import { EntsError } from "../base/errors.ts";
import { formatCount } from "../base/numbers.ts";
import { UPKEEP_FLAGS } from "../options/upkeep-options.ts";
import { type Answer, headOf, isUnknown } from "../series/answer.ts";
import { formatInstant } from "../series/series-log.ts";
import { countPoints, findFirstInstant, findLastInstant, splitTimeSeries } from "../series/settle.ts";
import { mapReadings, type Source } from "../source/source.ts";
import { HOUR } from "../time/local-time.ts";
import { findCreated } from "./follow/ended.ts";
import { type Asked, findHorizon } from "./destination/continue/check-clock.ts";

interface Dropped {
  readonly points: number;
  /** The instant of the first of them. */
  readonly from: number;
}

/** Leaves them out before anything is concluded from them, such as that there is a gap. */
export class FuturePoints {
  readonly #now: number;
  readonly #until: number;
  /** By request: one may be read several times. */
  readonly #dropped = new Map<string, Dropped>();

  constructor(asked: Asked) {
    this.#now = asked.now;
    this.#until = findHorizon(asked);
  }

  /** Its answers without them. @throws {EntsError} output: to the service, they are not to come. */
  dropFrom(source: Source): Source {
    return mapReadings(source, (reading, { request }) => ({ ...reading, answer: this.#drop(reading.answer, request.path) }));
  }

  /** What is to be told; undefined where there were none. */
  describe(): string | undefined {
    const all = [...this.#dropped.values()];
    if (all.length === 0) return undefined;
    const count = formatCount(
      all.reduce((sum, { points }) => sum + points, 0),
      "point",
    );
    const from = formatInstant(Math.min(...all.map((one) => one.from)));
    return `left out ${count} with timestamps in the future, from ${from} on (an export without ${UPKEEP_FLAGS.update} has them)`;
  }

  #drop(answer: Answer, path: string): Answer {
    if (isUnknown(answer) || findLastInstant(answer.timeSeries) <= this.#until) return answer;
    const [timeSeries, later] = splitTimeSeries(answer.timeSeries, this.#until + 1);
    const from = findFirstInstant(later);
    const created = findCreated([headOf(answer)]);
    // It may be in network time: two clocks that are right are not so far apart.
    if (created !== undefined && from <= created && created - this.#now > 14 * HOUR) throw refuseClock(this.#now, created);
    this.#dropped.set(path, { points: countPoints(later), from });
    return { ...answer, timeSeries };
  }
}

function refuseClock(now: number, created: number): EntsError {
  const [own, other] = [now, created].map(formatInstant);
  return new EntsError("output", `the clock of this machine is behind: it says ${own}, and the service says ${other}`, {
    hint: "correct it, and run the command again; the output is unchanged",
  });
}
