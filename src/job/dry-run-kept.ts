import type { AnswerFolder } from "../kept/answer-folder.ts";
import { layPlan } from "../kept/lay-plan.ts";
import type { Plan } from "../plan/plan.ts";

/** What is asked for of a plan, of whose answers some are kept. */
export async function layMissing(plan: Plan, folder: AnswerFolder): Promise<Plan & { readonly atHand: number }> {
  await folder.look();
  const laid = layPlan(plan, folder.usable);
  const kept = new Set(folder.usable.map(({ path }) => path));
  let atHand = 0;
  const windows = laid.windows.flatMap(({ window, requests }) => {
    const missing = requests.filter(({ path }) => !kept.has(path));
    atHand += requests.length - missing.length;
    return missing.length === 0 ? [] : [{ window, requests: missing }];
  });
  return { ...laid, windows, atHand };
}
