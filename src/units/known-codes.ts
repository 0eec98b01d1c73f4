/** The facilities of a service, where they are to be known without a word of how. */
import type { Context } from "../base/context.ts";
import type { Report } from "../base/report.ts";
import type { CodeList } from "./stored-codes.ts";
import { listSandbox } from "./list-sandbox.ts";
import { withPatience } from "../source/retry.ts";
import { type CodesRequest, openCodes, readCodes } from "./open-codes.ts";

type Request = Omit<CodesRequest, "refresh">;

/** The list that can be had without a request: the sandbox's, or the one that is kept, however old. */
export async function findKnownCodes(request: Request, context: Context): Promise<CodeList | undefined> {
  return request.fetch.sandbox ? listSandbox(context) : readCodes(request, context);
}

/** Nobody waits longer for what may be told of an export that is done. */
const PATIENCE_MS = 10_000;

/** Asks for the list once, and neither says so nor tries again; undefined where the service does not list them, or not soon. */
export async function askForCodes(
  { fetch, settings }: Request,
  { context, report }: { readonly context: Context; readonly report: Report },
): Promise<CodeList | undefined> {
  const silent = { ...report, note: () => {}, warn: () => {}, detail: () => {} };
  const request = { fetch: { ...fetch, retries: 0 }, settings, refresh: false };
  try {
    return await withPatience(context, PATIENCE_MS, (patient) => openCodes(request, { context: patient, report: silent }));
  } catch {
    return undefined;
  }
}
