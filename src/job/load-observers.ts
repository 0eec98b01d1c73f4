import type { Surroundings } from "../base/report.ts";
import type { Plan } from "../plan/plan.ts";
import type { Parts, Resolved } from "./export-parts.ts";
import type { Settings } from "../settings/settings.ts";
import type { Observer } from "./observer.ts";

/** The observers that the flags ask for, in the order of their reports. */
export async function loadObservers(
  { query, output, options, checksCodes }: Resolved,
  { plan, missing, settings }: Pick<Parts, "plan"> & { readonly missing: Pick<Plan, "windows"> | undefined; readonly settings: Settings },
  { context, report }: Surroundings,
): Promise<Observer[]> {
  const observers: Observer[] = [];
  if (options.summary) observers.push((await import("./summarize.ts")).createSummarizer(query, output.zone, { context, report }));
  if ((options.facilityCode ?? options.unitCode) && !options.follow)
    observers.push(await loadCodeWatch({ query, options, checksCodes }, settings, { context, report }));
  if (options.requireComplete || options.requireFresh)
    observers.push(
      (await import("./require.ts")).createRequirement(options.update && missing ? startAt(plan, missing) : plan, {
        ...options,
        name: output.target?.name,
      }),
    );
  return observers;
}

/** In an update, only the part that is fetched is looked at. */
function startAt(plan: Plan, { windows }: Pick<Plan, "windows">): Plan {
  const { query } = plan;
  const start = windows[0]?.window.start ?? query.window.start;
  return { ...plan, query: { ...query, window: { ...query.window, start } } };
}

async function loadCodeWatch(
  { query, options, checksCodes }: Pick<Resolved, "query" | "options" | "checksCodes">,
  settings: Settings,
  { context, report }: Surroundings,
): Promise<Observer> {
  const { createCodeWatch } = await import("./codes/missing-codes.ts");
  const findFacilities = async (mayAsk: boolean) => {
    const { findKnownCodes, askForCodes } = await import("../source/codes/known-codes.ts");
    const request = { fetch: options, settings };
    return ((await findKnownCodes(request, context)) ?? (mayAsk ? await askForCodes(request, { context, report }) : undefined))?.facilities;
  };
  return createCodeWatch(query, options, { findFacilities, checksCodes, report });
}
