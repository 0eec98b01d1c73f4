import type { Context } from "../../base/context.ts";
import type { CodeList } from "./kept-codes.ts";
import { listSandbox } from "./list-sandbox.ts";
import { type CodesRequest, readCodes } from "./open-codes.ts";

/** The facilities that can be known without a request: of the sandbox, or of the list that is kept, however old. */
export async function findKnownCodes(request: Omit<CodesRequest, "refresh">, context: Context): Promise<CodeList | undefined> {
  return request.fetch.sandbox ? listSandbox(context) : readCodes(request, context);
}
