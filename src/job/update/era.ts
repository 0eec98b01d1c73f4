/** Eras: when the service changes its units or timestamp format, a new era begins, and all older responses are fetched again. */
import { EntsError, usageError } from "../../base/errors.ts";
import { formatCount } from "../../base/phrases.ts";
import type { KeptAnswer } from "../../kept/answer-folder.ts";
import { isFinished } from "../../kept/journal.ts";
import { layMissing } from "../../kept/lay-plan.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { listRequests } from "../../plan/plan.ts";
import { type Build, fetchEach, gather } from "../build.ts";
import type { Gathered } from "../gather.ts";
import { compareAnswers, listOlder, type UpdateComparison } from "./compare-answers.ts";

/** Drops the responses of failed runs whose units the service no longer uses. True if there were any. */
export async function dropOutdatedFailedRuns({ plan }: Gathered, build: Build): Promise<boolean> {
  const { folder } = build;
  const places = new Set(listRequests(plan).map(({ path }) => path));
  const isOfFailedRun = ({ run }: KeptAnswer) => run < folder.run && !isFinished(folder.journal, run);
  const runs = new Set(folder.usable.filter((answer) => isOfFailedRun(answer) && places.has(answer.path)).map(({ run }) => run));
  if (runs.size === 0) return false;
  const before = await listOlder(build, (run) => runs.has(run));
  const doubted = new Set<number>();
  for await (const { isOfAnotherEra, older } of compareAnswers(plan, build, before)) {
    if (isOfAnotherEra) for (const { run } of older) doubted.add(run);
  }
  for (const doubt of doubted) await folder.append({ doubt });
  folder.expire(({ run }) => doubted.has(run));
  return doubted.size > 0;
}

/** A tenth of a community key's daily quota. */
const MAX_REQUESTS = 50;

/** True if the new responses of an update are of another era than the older ones. */
export function isOfAnotherEra({ compared }: Pick<UpdateComparison, "compared">): boolean {
  const [were, are] = ([0, 1] as const).map((index) => compared.flatMap(({ fills }) => fills[index] ?? []));
  const hasGaps = were?.length && are?.length;
  return compared.some((one) => one.isOfAnotherEra) || Boolean(hasGaps && were.every(Boolean) !== are.every(Boolean));
}

/** True if an earlier run has found a new era and no output has been made since. */
export function hasUnfinishedEra({ journal }: Build["folder"]): boolean {
  return journal.era > 0 && !isFinished(journal, journal.era);
}

/** @throws {EntsError} usage, as `continueEra`. */
export async function startEra(build: Build): Promise<Gathered> {
  const { folder } = build;
  await folder.append({ era: folder.run });
  folder.expire(({ run }) => run < folder.run);
  return continueEra(build);
}

/** @throws {EntsError} usage: it takes more requests than a run may send without `--recheck all`, or the service refuses them. */
export async function continueEra(build: Build): Promise<Gathered> {
  const { folder, request, target } = build;
  const missing = listRequests(layMissing(build.parts.plan, folder.usable));
  const isAllowed = missing.length <= MAX_REQUESTS || request.options.recheck === "all";
  try {
    if (isAllowed) return await gather(build);
    await fetchEach(missing.slice(0, MAX_REQUESTS), build);
  } catch (cause) {
    if (!(cause instanceof EntsError) || cause.kind !== "refused") throw cause;
    throw refuseEra(target.name, `the service refuses the older data (${cause.message})`, cause);
  }
  throw refuseEra(target.name, `${formatCount(missing.length - MAX_REQUESTS, "older response")} still to be fetched again`);
}

function refuseEra(name: string, why: string, cause?: Error): EntsError {
  const error = usageError(
    `${name} is unchanged: the service's units or timestamps are no longer those of its older rows, and ${why}`,
    `run the command again to fetch more of them, add ${UPKEEP_FLAGS.recheck} all to fetch all at once, or start a new output`,
  );
  return cause ? new EntsError("usage", error.message, { cause, hint: error.hint }) : error;
}
