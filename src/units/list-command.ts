import { FETCH_FLAGS, type FetchValues } from "../options/fetch-options.ts";

/** A command for the list of the same service: `ents list facilities --sandbox`. */
export function describeList(name: "facilities" | "units", { sandbox, baseUrl }: Pick<FetchValues, "sandbox" | "baseUrl">): string {
  const service = [...(sandbox ? [FETCH_FLAGS.sandbox] : []), ...(baseUrl ? [FETCH_FLAGS.baseUrl, baseUrl.href] : [])];
  return ["ents list", name, ...service].join(" ");
}
