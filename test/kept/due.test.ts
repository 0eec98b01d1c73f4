/** When a kept answer is requested again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReceivedWindow } from "../../src/kept/cover.ts";
import { isDue } from "../../src/kept/due.ts";
import { EMPTY_JOURNAL, type FinishedRun, type Journal } from "../../src/kept/journal.ts";
import { DAY, HOUR } from "../../src/time/local-time.ts";

const WEEK = 7 * DAY;
/** Midnight in network time, which is ten hours ahead of UTC. */
const END = Date.UTC(2026, 0, 8);
const ENDED = END - 10 * HOUR;
const RUN = 100;

const answerAt = (receivedAt: number, more: Partial<ReceivedWindow> = {}): ReceivedWindow => ({
  run: RUN,
  window: { start: END - DAY, end: END },
  receivedAt,
  ...more,
});

/** After a run that has used it, and another one. */
function journalOf(more: Partial<Journal> = {}): Journal {
  return { ...EMPTY_JOURNAL, runs: [RUN, RUN + 1].map((run) => ({ run }) as unknown as FinishedRun), ...more };
}

const momentAt = (now: number, reviseMs = WEEK) => ({ network: "NEM", now, reviseMs });

test("an answer is due until it was received so long after the end of its window, whenever it is looked at", () => {
  const moments = fc.record({ after: fc.integer({ min: -DAY, max: 3 * WEEK }), later: fc.nat(5 * WEEK), reviseMs: fc.nat(2 * WEEK) });
  fc.assert(
    fc.property(moments, ({ after, later, reviseMs }) => {
      const answer = answerAt(ENDED + after);
      expect(isDue(answer, journalOf(), momentAt(ENDED + after + later, reviseMs))).toBe(after < reviseMs);
    }),
  );
});

const SETTLED = answerAt(ENDED + WEEK);
const NOW = momentAt(ENDED + 3 * WEEK);

test.each<[what: string, isDue: boolean, ReceivedWindow, Journal]>([
  ["settled", false, SETTLED, journalOf()],
  ["without an end", true, { ...SETTLED, window: { start: END, end: undefined } }, journalOf()],
  ["of the future", true, answerAt(NOW.now + 1), journalOf()],
  ["of a run with a wrong one, which is rechecked", false, SETTLED, journalOf({ doubted: new Set([RUN]) })],
  ["of a run that failed, with a wrong one", true, { ...SETTLED, run: RUN + 2 }, journalOf({ doubted: new Set([RUN + 2]) })],
  ["of an earlier era", true, SETTLED, journalOf({ era: RUN + 1 })],
  ["of this era", false, SETTLED, journalOf({ era: RUN })],
])("one that is %s: %s", (...world) => {
  const [, due, answer, journal] = world;
  expect(isDue(answer, journal, NOW)).toBe(due);
});

test("what a run that failed has received is used for an hour, where its window had ended", () => {
  const failed = journalOf();
  const answer = answerAt(ENDED + HOUR, { run: RUN + 2 });
  expect([HOUR - 1, HOUR].map((later) => isDue(answer, failed, momentAt(answer.receivedAt + later)))).toEqual([false, true]);
  expect(isDue({ ...answer, receivedAt: ENDED - 1 }, failed, momentAt(ENDED))).toBe(true);
});
