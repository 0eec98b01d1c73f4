/** Services correct old years, and a first night may have been a bad one: each run asks again for some answers that are not due. */
import { EntsError } from "../../base/errors.ts";
import type { KeptAnswer } from "../../kept/answer-folder.ts";
import { isFinished } from "../../kept/journal.ts";
import { layPlan } from "../../kept/lay-plan.ts";
import { listRequests, type PlannedRequest } from "../../plan/plan.ts";
import type { Window } from "../../query/window.ts";
import { type Build, fetchEach } from "../build.ts";
import type { Gathered } from "../gather.ts";
import { compareAnswers } from "./compare-answers.ts";

/** Returns how many were asked for. Those of the run of a wrong one are due. A service that does not answer is no failure here. */
export async function recheckAnswers(build: Build, before: readonly KeptAnswer[]): Promise<number> {
  const { folder, parts, report } = build;
  let count = 0;
  for (const { request, answer } of chooseRechecks(build)) {
    try {
      await fetchEach([request], build);
    } catch (error) {
      if (!(error instanceof EntsError) || error.kind === "output") throw error;
      report.note(`could not recheck ${answer.name}: ${error.message}`);
      await folder.restore(answer);
      if (error.kind === "refused") continue;
      break;
    }
    count++;
    const plan = { ...parts.plan, windows: [{ window: answer.window, requests: [request] }] };
    for await (const { isEmpty, changes, added } of compareAnswers(plan, folder, before)) {
      if (isEmpty) {
        report.note(`the service has no data any more of ${answer.name}, which has values: they stay`);
        await folder.restore(answer);
      } else if (changes.length > 0 || added > 0) {
        await folder.append({ doubt: answer.run });
        folder.expire(({ run }) => run === answer.run);
      }
    }
  }
  return count;
}

interface Recheck {
  readonly request: PlannedRequest;
  readonly answer: KeptAnswer;
}

/** Answers that lack a series that those before and after them have, by name. */
export function listDoubtful({ plan, open }: Gathered, { usable }: Build["folder"]): string[] {
  const names = new Map(usable.map(({ path, name }) => [path, name]));
  const lacks = ({ start = 0, end = 0 }: Window) => open.some(({ from, to }) => from <= start && end <= to);
  const doubtful = plan.windows.filter(({ window }) => lacks(window)).flatMap(({ requests }) => requests);
  return doubtful.flatMap(({ path }) => names.get(path) ?? []);
}

/** First those that look doubtful, then those never confirmed, then those confirmed longest ago. */
function chooseRechecks({ folder, parts, request: { options } }: Build): Recheck[] {
  const confirmed = new Map(folder.journal.runs.flatMap(({ run, confirmed: names }) => names.map((name) => [name, run] as const)));
  const usable = new Map(folder.usable.map((answer) => [answer.path, answer]));
  const doubtful = new Set(folder.journal.runs.at(-1)?.doubtful);
  const rank = ({ status, name = "" }: KeptAnswer) => confirmed.get(name) ?? (status === 200 && !doubtful.has(name) ? 0 : -1);
  const rechecks = listRequests(layPlan(parts.plan, folder.usable)).flatMap((request): Recheck[] => {
    const answer = usable.get(request.path);
    return answer && isFinished(folder.journal, answer.run) && !request.part ? [{ request, answer }] : [];
  });
  const sorted = rechecks.toSorted((a, b) => rank(a.answer) - rank(b.answer) || a.answer.receivedAt - b.answer.receivedAt);
  return sorted.slice(0, options.recheck === "all" ? sorted.length : options.recheck);
}
