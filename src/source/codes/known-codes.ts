import { parseJson } from "../../base/json.ts";
import type { Context } from "../../base/context.ts";
import type { CodeList } from "./kept-codes.ts";
import { type CodesRequest, readCodes } from "./open-codes.ts";
import { parseFacilities } from "./parse-facilities.ts";

/** The facilities that can be known without a request: of the sandbox inside ents, or of the list that is kept, however old. */
export async function findKnownCodes(request: Omit<CodesRequest, "refresh">, context: Context): Promise<CodeList | undefined> {
  return request.fetch.sandbox ? listSandbox(context) : readCodes(request, context);
}

async function listSandbox({ now }: Context): Promise<CodeList> {
  const { listFacilities } = await import("../../sandbox/listing/facilities.ts");
  const answer = parseJson(JSON.stringify(listFacilities(new URLSearchParams(), now())));
  return { receivedAt: now(), facilities: parseFacilities(answer) ?? [] };
}
