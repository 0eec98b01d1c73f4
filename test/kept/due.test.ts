/** When a kept answer is asked for again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isDue, type ReceivedAnswer } from "../../src/kept/due.ts";
import { EMPTY_JOURNAL, type FinishedRun, type Journal } from "../../src/kept/journal.ts";
import { DAY, HOUR } from "../../src/time/local-time.ts";

const WEEK = 7 * DAY;
/** Midnight of the network's time, which is ten hours ahead of UTC. */
const END = Date.UTC(2026, 0, 8);
const ENDED = END - 10 * HOUR;
const RUN = 100;

const answerAt = (receivedAt: number, more: Partial<ReceivedAnswer> = {}): ReceivedAnswer => ({
  name: "one",
  run: RUN,
  window: { start: END - DAY, end: END },
  receivedAt,
  ...more,
});

/** After a run that has used it, and another one. */
function journalOf(last: Partial<FinishedRun> = {}, more: Partial<Journal> = {}): Journal {
  const runs = [RUN, RUN + 1].map((run) => ({ run, dueAgain: [], ...(run > RUN ? last : {}) }) as unknown as FinishedRun);
  return { ...EMPTY_JOURNAL, runs, ...more };
}

const momentAt = (now: number, reviseMs = WEEK) => ({ network: "NEM", now, reviseMs, isUpdate: true });

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

test.each<[what: string, isDue: boolean, ReceivedAnswer, Journal]>([
  ["settled", false, SETTLED, journalOf()],
  ["without an end", true, { ...SETTLED, window: { start: END, end: undefined } }, journalOf()],
  ["of the future", true, answerAt(NOW.now + 1), journalOf()],
  ["that took something away", true, SETTLED, journalOf({ dueAgain: ["one"] })],
  ["beside one that took something away", false, SETTLED, journalOf({ dueAgain: ["two"] })],
  ["of a run with a wrong one", true, SETTLED, journalOf({}, { doubted: new Set([RUN]) })],
  ["of another run than that with a wrong one", false, SETTLED, journalOf({}, { doubted: new Set([RUN + 1]) })],
  ["of an earlier era", true, SETTLED, journalOf({}, { era: RUN + 1 })],
  ["of this era", false, SETTLED, journalOf({}, { era: RUN })],
])("one that is %s: %s", (...world) => {
  const [, due, answer, journal] = world;
  expect(isDue(answer, journal, NOW)).toBe(due);
});

test("a plain export fetches again what an update keeps, and resumes a failed run", () => {
  const isDueTo = (isUpdate: boolean, answer: ReceivedAnswer) => isDue(answer, journalOf(), { ...NOW, reviseMs: 0, isUpdate });
  expect([true, false].map((isUpdate) => isDueTo(isUpdate, SETTLED))).toEqual([false, true]);
  expect(isDueTo(false, { ...SETTLED, run: RUN + 2 })).toBe(false);
});

test("what a run that failed has received is used for an hour, where its window had ended", () => {
  const failed = journalOf();
  const answer = answerAt(ENDED + HOUR, { run: RUN + 2 });
  expect([HOUR - 1, HOUR].map((later) => isDue(answer, failed, momentAt(answer.receivedAt + later)))).toEqual([false, true]);
  expect(isDue({ ...answer, receivedAt: ENDED - 1 }, failed, momentAt(ENDED))).toBe(true);
});
