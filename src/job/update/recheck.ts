/** Rechecks: each run also fetches some responses that are not due, as services correct old data and may have sent wrong data at first. */
import { EntsError } from "../../base/errors.ts";
import { formatCount } from "../../base/phrases.ts";
import type { AnswerFolder, KeptAnswer } from "../../kept/answer-folder.ts";
import { isFinished, type Journal } from "../../kept/journal.ts";
import { layPlan } from "../../kept/lay-plan.ts";
import type { UpkeepValues } from "../../options/upkeep-options.ts";
import { listRequests, type Plan, type PlannedRequest, type PlannedWindow } from "../../plan/plan.ts";
import type { Window } from "../../query/window.ts";
import { type Build, fetchEach } from "../build.ts";
import type { Gathered } from "../gather.ts";
import { compareAnswers } from "./compare-answers.ts";

export interface Rechecked {
  /** Number of responses received. */
  readonly count: number;
  /** File names of responses that the service refused, or no longer has data for. They stay as they are. */
  readonly refused: readonly string[];
}

interface Recheck {
  readonly request: PlannedRequest;
  readonly answer: KeptAnswer;
}

/**
 * Rechecks those in question, and `--recheck` more. If a response has changed, all responses of its run are in question. What the
 * service refuses or does not answer stays, with a note.
 */
export async function recheckAnswers(build: Build, before: readonly KeptAnswer[]): Promise<Rechecked> {
  const { folder, parts, report } = build;
  const most = findMost(build.request.options);
  const waiting = listRechecks(parts.plan, folder);
  const inQuestion = new Set(waiting.filter(({ answer }) => isInQuestion(answer, folder.journal)));
  /** Runs of which this one has found a change. */
  const doubted = new Set<number>();
  /** By what the service says, the file names of responses that stay as they are. */
  const stay = new Map<string, string[]>();
  const noteStay = (why: string, { name = "" }: KeptAnswer) => void stay.set(why, [...(stay.get(why) ?? []), name]);
  /** Of those that are not in question. */
  let [answers, refusals] = [0, 0];
  let count = 0;
  for (;;) {
    const [urgent] = inQuestion;
    const next = urgent ?? (answers < most && refusals <= most ? waiting[0] : undefined);
    if (!next) break;
    inQuestion.delete(next);
    waiting.splice(waiting.indexOf(next), 1);
    const { request, answer } = next;
    try {
      await fetchEach([request], build);
      count++;
      if (!urgent) answers++;
    } catch (error) {
      if (!(error instanceof EntsError) || error.kind === "output") throw error;
      await folder.restore(answer);
      if (error.kind !== "refused") {
        report.note(`could not recheck ${answer.name}: ${error.message}`);
        break;
      }
      noteStay(error.message, answer);
      if (!urgent) refusals++;
      continue;
    }
    const plan = { ...parts.plan, windows: [{ window: answer.window, requests: [request] }] };
    for await (const { isEmpty, changes, added } of compareAnswers(plan, build, before)) {
      if (isEmpty) {
        await folder.restore(answer);
        noteStay(NO_DATA, answer);
      } else if (changes.length > 0 || added > 0) {
        if (!doubted.has(answer.run)) await folder.append({ doubt: answer.run, because: answer.name });
        doubted.add(answer.run);
        for (const other of waiting) if (other.answer.run === answer.run) inQuestion.add(other);
      }
    }
  }
  for (const [why, names] of stay) report.note(`could not recheck ${nameSome(names)}: ${why}; keeping the stored data`);
  return { count, refused: [...stay.values()].flat() };
}

const NO_DATA = "the service has no data any more";

function nameSome([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${formatCount(others.length, "older response")}`;
}

/** The rechecks that a run makes, unless one of them finds a change. */
export function planRechecks(plan: Plan, folder: AnswerFolder, options: Pick<UpkeepValues, "recheck">): PlannedWindow[] {
  const rechecks = listRechecks(plan, folder);
  const [urgent, others] = [true, false].map((is) => rechecks.filter(({ answer }) => isInQuestion(answer, folder.journal) === is));
  const chosen = [...(urgent ?? []), ...(others ?? []).slice(0, findMost(options))];
  return chosen.map(({ request, answer: { window } }) => ({ window, requests: [request] }));
}

function findMost({ recheck }: Pick<UpkeepValues, "recheck">): number {
  return recheck === "all" ? Number.POSITIVE_INFINITY : recheck;
}

/** True if another response of its run has changed, or if it lacks values that an older response had; not if it was refused since. */
function isInQuestion({ run, name = "" }: KeptAnswer, { runs, doubted, refused }: Journal): boolean {
  return (doubted.has(run) || runs.at(-1)?.dueAgain.includes(name) === true) && !refused.has(name);
}

/** File names of responses that lack a series that the responses before and after them have. */
export function listDoubtful({ plan, open }: Gathered, { usable }: Build["folder"]): string[] {
  const names = new Map(usable.map(({ path, name }) => [path, name]));
  const lacks = ({ start = 0, end = 0 }: Window) => open.some(({ from, to }) => from <= start && end <= to);
  const doubtful = plan.windows.filter(({ window }) => lacks(window)).flatMap(({ requests }) => requests);
  return doubtful.flatMap(({ path }) => names.get(path) ?? []);
}

/** Sorted: those never rechecked first (doubtful ones and those without data before others), then those rechecked longest ago. */
function listRechecks(plan: Plan, { journal, usable }: AnswerFolder): Recheck[] {
  const { runs } = journal;
  const asked = new Map(runs.flatMap(({ run, confirmed, refused }) => [...confirmed, ...refused].map((name) => [name, run] as const)));
  const doubtful = new Set(runs.at(-1)?.doubtful);
  const rank = ({ status, name = "" }: KeptAnswer) => asked.get(name) ?? (status === 200 && !doubtful.has(name) ? 0 : -1);
  const finished = new Map(usable.filter(({ run }) => isFinished(journal, run)).map((answer) => [answer.path, answer]));
  const rechecks = new Map<string, Recheck>();
  for (const used of listRequests(layPlan(plan, usable))) {
    const answer = finished.get(used.path);
    // All of a response is compared, also where the output uses a part of it.
    if (answer) rechecks.set(used.path, { request: { ...used, part: undefined }, answer });
  }
  return [...rechecks.values()].toSorted((a, b) => rank(a.answer) - rank(b.answer) || a.answer.receivedAt - b.answer.receivedAt);
}
