import { readFileSync } from "node:fs";
import { findHelpWidth } from "../cli/help-width.ts";

const HELP = new Set(["-h", "--help"]);

/**
 * Help as the build has printed it (scripts/bundle/help.mjs), without loading the program; undefined for a command line that
 * is more than a command and `--help`, and on a terminal of another width.
 */
export function findHelp(argv: readonly string[]): string | undefined {
  const words = argv.slice(0, -1);
  if (!HELP.has(argv.at(-1) ?? "") || !words.every((word) => /^[a-z]+$/.test(word))) return undefined;
  const name = `help/${["ents", ...words].join("-")}.${findHelpWidth(findColumns())}.txt`;
  try {
    return readFileSync(new URL(name, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}

/** A stream takes longer to load than the rest. */
function findColumns(): number | undefined {
  return process.getBuiltinModule("node:tty").isatty(1) ? process.stdout.columns : undefined;
}
