import type { Command } from "commander";
import type { Context } from "../base/context.ts";
import { usageError } from "../base/errors.ts";
import { flagOf, type OptionTable } from "../options/spec.ts";
import { expandList } from "./lists.ts";

/** The values of the flags that were given, by option key; lists expanded. @throws {EntsError} usage. */
export async function readValues(table: OptionTable, command: Command, context: Context): Promise<Record<string, unknown>> {
  const given = command.opts();
  const values: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries(table)) {
    const value: unknown = command.getOptionValueSource(key) === "cli" ? given[key] : undefined;
    if (value === undefined) continue;
    const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string");
    checkNotFlag(flagOf(key, spec), texts);
    values[key] = spec.list ? await expandList(texts, context) : value;
  }
  return values;
}

/** commander gives `--a --b` the value "--b". */
function checkNotFlag(flag: string, texts: readonly string[]): void {
  const swallowed = texts.find((text) => /^--[a-z]/.test(text));
  if (swallowed !== undefined)
    throw usageError(`${flag} needs a value, but the flag ${swallowed} follows it`, `give ${flag} its value first`);
}
