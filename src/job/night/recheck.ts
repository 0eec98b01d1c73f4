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

export interface Rechecked {
  /** Answers that came. */
  readonly count: number;
  /** Answers that the service refused, or has no data for any more; by name. */
  readonly refused: readonly string[];
}

/** The answers of the run of a wrong one are due. A service that does not answer is no failure here. */
export async function recheckAnswers(build: Build, before: readonly KeptAnswer[]): Promise<Rechecked> {
  const { folder, parts, report } = build;
  const { recheck } = build.request.options;
  const most = recheck === "all" ? Number.POSITIVE_INFINITY : recheck;
  const refused: string[] = [];
  let count = 0;
  for (const { request, answer } of listRechecks(build)) {
    if (count >= most || refused.length > most) break;
    const { name = "" } = answer;
    try {
      await fetchEach([request], build);
      count++;
    } catch (error) {
      if (!(error instanceof EntsError) || error.kind === "output") throw error;
      report.note(`could not recheck ${name}: ${error.message}`);
      await folder.restore(answer);
      if (error.kind !== "refused") break;
      refused.push(name);
      continue;
    }
    const plan = { ...parts.plan, windows: [{ window: answer.window, requests: [request] }] };
    for await (const { isEmpty, changes, added } of compareAnswers(plan, build, before)) {
      if (isEmpty) {
        report.note(`the service has no data any more of ${name}, which has values: they stay`);
        await folder.restore(answer);
        refused.push(name);
      } else if (changes.length > 0 || added > 0) {
        await folder.append({ doubt: answer.run });
        folder.expire(({ run }) => run === answer.run);
      }
    }
  }
  return { count, refused };
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

/** First those that look doubtful, then those never confirmed, then those confirmed, or refused, longest ago. */
function listRechecks({ folder, parts }: Build): Recheck[] {
  const { runs } = folder.journal;
  const asked = new Map(runs.flatMap(({ run, confirmed, refused }) => [...confirmed, ...refused].map((name) => [name, run] as const)));
  const doubtful = new Set(runs.at(-1)?.doubtful);
  const rank = ({ status, name = "" }: KeptAnswer) => asked.get(name) ?? (status === 200 && !doubtful.has(name) ? 0 : -1);
  const usable = new Map(folder.usable.map((answer) => [answer.path, answer]));
  const rechecks = listRequests(layPlan(parts.plan, folder.usable)).flatMap((request): Recheck[] => {
    const answer = usable.get(request.path);
    return answer && isFinished(folder.journal, answer.run) && !request.part ? [{ request, answer }] : [];
  });
  return rechecks.toSorted((a, b) => rank(a.answer) - rank(b.answer) || a.answer.receivedAt - b.answer.receivedAt);
}
