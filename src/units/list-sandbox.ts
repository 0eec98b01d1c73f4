import { parseJson } from "../base/json.ts";
import type { Context } from "../base/context.ts";
import type { CodeList } from "./stored-codes.ts";
import { parseFacilities } from "./parse-facilities.ts";

/** The facilities of the sandbox inside ents, as it would answer: without a service. */
export async function listSandbox({ now }: Pick<Context, "now">): Promise<CodeList> {
  const { listFacilities } = await import("../sandbox/listing/facilities.ts");
  const answer = parseJson(JSON.stringify(listFacilities(new URLSearchParams(), now())));
  return { receivedAt: now(), facilities: parseFacilities(answer) };
}
