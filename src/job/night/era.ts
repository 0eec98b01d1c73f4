/** Another unit or another spelling of timestamps: older answers are asked for again, so that none stand beside newer ones. */
import { EntsError, usageError } from "../../base/errors.ts";
import { formatCount } from "../../base/numbers.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { listRequests } from "../../plan/plan.ts";
import { type Build, fetchEach, gather } from "../build.ts";
import type { Gathered } from "../gather.ts";
import { layMissing } from "../missing.ts";

/** A tenth of a community key's daily quota. */
const MAX_REQUESTS = 50;

/** @throws {EntsError} usage: it takes more requests than a run may make without being asked, or the service refuses them. */
export async function startEra(build: Build): Promise<Gathered> {
  const { folder, request, target } = build;
  await folder.append({ era: folder.run });
  folder.expire(({ run }) => run < folder.run);
  const missing = listRequests(layMissing(build.parts.plan, folder));
  const isAllowed = missing.length <= MAX_REQUESTS || request.options.recheck === "all";
  try {
    if (isAllowed) return await gather(build);
    await fetchEach(missing.slice(0, MAX_REQUESTS), build);
  } catch (cause) {
    if (!(cause instanceof EntsError) || cause.kind !== "refused") throw cause;
    throw refuseEra(target.name, `the service refuses the older data (${cause.message})`, cause);
  }
  throw refuseEra(target.name, `${formatCount(missing.length - MAX_REQUESTS, "older answer")} are still to be fetched again`);
}

function refuseEra(name: string, why: string, cause?: Error): EntsError {
  const error = usageError(
    `${name} is unchanged: the service's units or timestamps are no longer those of its older rows, and ${why}`,
    `run the command again to fetch more of them, add ${UPKEEP_FLAGS.recheck} all to fetch all at once, or start a new output`,
  );
  return cause ? new EntsError("usage", error.message, { cause, hint: error.hint }) : error;
}
