import { flagOf, type OptionTable } from "../options/spec.ts";

/** The command line of these values, for messages: `ents market NEM --metrics price -o nem.csv`. */
export function describeCommand(words: readonly string[], table: OptionTable, values: Readonly<Record<string, unknown>>): string {
  const flags = Object.entries(table).flatMap(([key, spec]) => {
    const value = values[key];
    if (value === undefined) return [];
    return [flagOf(key, spec), ...(typeof value === "boolean" ? [] : [value].flat().map(String))];
  });
  return ["ents", ...words, ...flags].map(quote).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
