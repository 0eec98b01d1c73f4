import type { AnswerFolder } from "../kept/answer-folder.ts";
import { layPlan } from "../kept/lay-plan.ts";
import { listRequests, type Plan } from "../plan/plan.ts";

/** A plan without the requests whose answers are kept, and the number of those. */
export function layMissing(plan: Plan, { usable }: Pick<AnswerFolder, "usable">): Plan & { readonly atHand: number } {
  const laid = layPlan(plan, usable);
  const kept = new Set(usable.map(({ path }) => path));
  const windows = laid.windows
    .map(({ window, requests }) => ({ window, requests: requests.filter(({ path }) => !kept.has(path)) }))
    .filter(({ requests }) => requests.length > 0);
  return { ...laid, windows, atHand: listRequests(laid).length - listRequests({ windows }).length };
}
