/** Rechecks: each run also fetches some responses that are not due, as services correct old data and may have sent wrong data at first. */
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
  /** Number of responses received. */
  readonly count: number;
  /** File names of responses that the service refused, or no longer has data for. */
  readonly refused: readonly string[];
}

/** If a response has changed, all responses of its run are fetched again. An unavailable service is not a failure here. */
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
        await folder.append({ doubt: answer.run, because: name });
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

/** File names of responses that lack a series that the responses before and after them have. */
export function listDoubtful({ plan, open }: Gathered, { usable }: Build["folder"]): string[] {
  const names = new Map(usable.map(({ path, name }) => [path, name]));
  const lacks = ({ start = 0, end = 0 }: Window) => open.some(({ from, to }) => from <= start && end <= to);
  const doubtful = plan.windows.filter(({ window }) => lacks(window)).flatMap(({ requests }) => requests);
  return doubtful.flatMap(({ path }) => names.get(path) ?? []);
}

/** Sorted: those never rechecked first (doubtful ones and those without data before others), then those rechecked longest ago. */
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
