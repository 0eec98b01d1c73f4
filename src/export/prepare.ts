/** Prepares an export, step by step, up to its plan: settings, codes, units, limits, stored responses. */
import { usageError } from "../base/errors.ts";
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import type { ResponseFolder } from "../store/response-folder.ts";
import { UPKEEP_FLAGS } from "../options/upkeep-options.ts";
import { explainUnsplit, planQuery } from "../plan/plan.ts";
import { findKeyLimits, resolveFetch } from "../settings/key-limits.ts";
import { findBaseUrl } from "../settings/settings.ts";
import { checkRows } from "./choose-format.ts";
import type { PathTarget, Target } from "./destination/target.ts";
import { refuseUpdated } from "./refuse-updated.ts";
import { describeOrigin, fetchPlans } from "./terms.ts";
import type { Continued, ExportRequest, PlannedJob } from "./job.ts";

type PlanSurroundings = Pick<PlannedJob, "context" | "report" | "settings">;

/** @throws {EntsError} of every kind: a list of units may be fetched. */
export async function planJob(wanted: ExportRequest, surroundings: PlanSurroundings): Promise<PlannedJob> {
  const { context, settings } = surroundings;
  const now = context.now();
  const listed = await applyUnitList(await checkAgainstList(wanted, surroundings), surroundings);
  const { query, output, options, warnings } = listed;
  if (!options.dryRun && needsDescription(options)) await fetchPlans(options, surroundings);
  const keyLimits = findKeyLimits(options, settings, context);
  const resolved = resolveFetch(options, settings, { interval: query.interval, keyLimits });
  const address = options.sandbox ? undefined : findBaseUrl(options.baseUrl, settings).href;
  const unsplit = explainUnsplit(query, { now, maxWindow: options.maxWindow });
  const known = {
    ...listed,
    ...surroundings,
    options: resolved,
    warnings: unsplit === undefined ? warnings : [...warnings, unsplit],
    keyLimits,
    provenance: {
      version: context.version,
      command: wanted.command,
      ...describeOrigin(keyLimits, address),
      isSynthetic: options.sandbox,
      query,
    },
  };
  const folder = await openResponses(known, address);
  const continued = { ...known, folder, ...(options.update ? await continueUpdate(known, folder) : {}) };
  const plan = planQuery(continued.query, { now, maxWindow: resolved.maxWindow });
  checkRows(output.formatName, plan);
  return { ...continued, plan };
}

async function checkAgainstList(
  wanted: ExportRequest,
  { settings, context }: PlanSurroundings,
): Promise<ExportRequest> {
  if (!wanted.options.facilityCode && !wanted.options.unitCode) return wanted;
  const { checkListedCodes } = await import("../facility-list/check-codes.ts");
  return checkListedCodes(wanted, settings, context);
}

/** Applies the list of units if a flag needs it, or the format draws units by their fueltech. */
async function applyUnitList(wanted: ExportRequest, surroundings: PlanSurroundings): Promise<ExportRequest> {
  const use = findListUse(wanted);
  if (use === "none") return wanted;
  const { applyList, addKnownUnits } = await import("../facility-list/apply-list.ts");
  return (use === "needed" ? applyList : addKnownUnits)(wanted, surroundings.settings, surroundings);
}

/** What the list of units is for: a flag needs it, or only names and colours use it. */
export function findListUse({
  picks,
  options,
  query,
  output,
}: Pick<ExportRequest, "picks" | "options" | "query" | "output">): "needed" | "names" | "none" {
  const isByUnit = query.command === "facilities";
  if (picks !== undefined || options.with !== undefined || (isByUnit && query.computation !== undefined))
    return "needed";
  return output.format.usesUnits && isByUnit ? "names" : "none";
}

function needsDescription({ datapackage, update, partition }: ExportRequest["options"]): boolean {
  return datapackage || update || partition !== undefined;
}

const KEPT_HINT = `add ${UPKEEP_FLAGS.update}, choose another file, or add ${UPKEEP_FLAGS.overwrite} to replace it`;

/**
 * The folder of an output's responses; undefined if it is none, or that of an update, which is for updates alone. The
 * modules are loaded only for files, as node:crypto takes 4 ms. `address`: URL of the service; undefined for the
 * sandbox.
 */
async function openResponses(
  { output: { target }, options, context }: Pick<PlannedJob, "output" | "options" | "context">,
  address: string | undefined,
): Promise<ResponseFolder | undefined> {
  if (!isFile(target)) return undefined;
  const { ResponseFolder } = await import("../store/response-folder.ts");
  const isDataset = target.kind === "folder";
  const folder = new ResponseFolder(
    { output: target.name, isDataset, service: address ?? "sandbox", startedAt: context.now() },
    context,
  );
  if (options.update) return folder;
  const isOfUpdate = await folder.isUpdated();
  if (!options.overwrite) await refuseUpdated(target, context.cwd, KEPT_HINT);
  return isOfUpdate ? undefined : folder;
}

/** Continues an output that is updated, with the start, the codes and the segments of earlier runs. */
async function continueUpdate(
  known: Omit<PlannedJob, "folder" | "plan">,
  folder: ResponseFolder | undefined,
): Promise<Pick<PlannedJob, "query" | "notes" | "provenance"> & { readonly update: Continued }> {
  const { target } = known.output;
  if (!folder)
    throw usageError(
      `${UPKEEP_FLAGS.update} needs a regular file`,
      `use ${OUTPUT_OPTIONS.output.short} with the name of ${target ? "another" : "a"} file`,
    );
  await folder.look();
  const { continueQuery } = await import("./update/continue-query.ts");
  const { query, unmoved, notes, ...update } = await continueQuery(known, folder);
  return { query, update, notes: [...known.notes, ...notes], provenance: { ...known.provenance, query: unmoved } };
}

export function isFile(target: Target | undefined): target is PathTarget {
  return target?.kind === "file" || target?.kind === "folder";
}
