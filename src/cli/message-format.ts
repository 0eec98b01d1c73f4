import { MESSAGE_FORMATS, type Context, type MessageFormat } from "../base/context.ts";
import { type EntsError, usageError } from "../base/errors.ts";

const FLAG = "--errors";
const VARIABLE = "ENTS_ERRORS";

/**
 * How messages are written: `--errors`, else `ENTS_ERRORS`, else for people. The flag is found wherever it stands, also
 * behind a mistake at which the parser stops.
 */
export function readMessageFormat(
  argv: readonly string[],
  env: Context["env"],
): { readonly format: MessageFormat; readonly problem?: EntsError } {
  const at = argv.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  const flag = at < 0 ? undefined : argv[at]?.slice(FLAG.length + 1) || argv[at + 1];
  const value = flag ?? env[VARIABLE];
  if (!value) return { format: "text" };
  const format = MESSAGE_FORMATS.find((name) => name === value);
  if (format) return { format };
  const facts = { flag: flag === undefined ? undefined : FLAG, value, allowed: MESSAGE_FORMATS };
  return {
    format: "text",
    problem: usageError(`${flag === undefined ? VARIABLE : FLAG} cannot be "${value}"`, "use text or json", facts),
  };
}
