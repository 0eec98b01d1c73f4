import { type EntsError, usageError } from "../base/errors.ts";
import { didYouMean, findNearest, formatList } from "../base/phrases.ts";
import { COMMON_OPTIONS } from "../options/fetch-options.ts";
import { findFlagWithChoice } from "../options/choices.ts";
import { flagOf, type OptionSpec, type OptionTable } from "../options/spec.ts";
import { type KnownCommand, type Mistake, seeHelp } from "./known-commands.ts";

const TOKEN = "run 'ents login', which asks for the token, or set ENTS_TOKEN";

const FLAGS_LAST = "flags go after the command; see 'ents --help' for all commands";

export const VERSION = "ents --version";

/** What other tools have a flag for. */
const WITHOUT_FLAG: Readonly<Record<string, string>> = {
  token: TOKEN,
  "api-key": TOKEN,
  apikey: TOKEN,
  key: TOKEN,
  V: `for the version, use '${VERSION}'`,
  "no-cache": "use --cache off",
  proxy: "set HTTPS_PROXY",
  color: "set FORCE_COLOR=1",
  "no-color": "set NO_COLOR=1",
};

/** A flag that the command does not have: another command's, or another tool's, or a mistyped one. */
export function explainFlag(flag: string, mistake: Mistake): EntsError {
  const { called, known } = mistake;
  if (hasFlag({ ...called.table, ...COMMON_OPTIONS }, flag)) return usageError(`${flag} takes no value`, seeHelp(called.name));
  const name = flag.replace(/^-+/, "");
  const unknown = `unknown flag ${flag}`;
  const argument = called.arguments.find(
    ({ name: own, otherNames = [] }) =>
      name.length > 1 && (own.replaceAll("_", "-").split("-")[0] === name.split("-")[0] || otherNames.includes(name)),
  );
  if (argument) return usageError(`${unknown}; the ${argument.name.replaceAll("_", " ")} has no flag`, argument.hint);
  const owners = findOwners(flag, mistake);
  if (owners.length > 0) return misplacedFlag(flag, owners, mistake);
  if (Object.hasOwn(WITHOUT_FLAG, name)) return usageError(unknown, WITHOUT_FLAG[name]);
  const meant = findMeant(name, called.table);
  if (meant.length > 0) return usageError(unknown + didYouMean(meant), seeHelp(called.name));
  const elsewhere = known.map(({ table }) => findMeant(name, table)).find((flags) => flags.length > 0);
  if (elsewhere && called.name === "ents") return usageError(unknown + didYouMean(elsewhere), FLAGS_LAST);
  const [other] = elsewhere?.[0]?.split(" ") ?? [];
  if (other !== undefined) return usageError(`${unknown}; ${haveIt(findOwners(other, mistake))} ${other}`, seeHelp(called.name));
  const flags = Object.entries({ ...called.table, ...COMMON_OPTIONS }).map(([key, spec]) => flagOf(key, spec));
  return usageError(unknown + (name.length > 1 ? didYouMean(findNearest(`--${name}`, flags)) : ""), seeHelp(called.name));
}

/** The commands that have a flag; of those, the ones beside this one, or that send it, if any do. */
function findOwners(flag: string, { called, known }: Mistake): readonly KnownCommand[] {
  const owners = known.filter(({ table }) => hasFlag(table, flag));
  const parent = /^ents \w+ (?=\w)/.exec(called.name)?.[0];
  const siblings = owners.filter(({ name }) => parent !== undefined && name.startsWith(parent));
  if (siblings.length > 0) return siblings;
  const senders = owners.filter(({ table }) => findOption(table, flag)?.parameter !== undefined);
  return senders.length > 0 ? senders : owners;
}

function misplacedFlag(flag: string, owners: readonly KnownCommand[], { called, argv }: Mistake): EntsError {
  if (called.name !== "ents") return usageError(`'${called.name}' has no ${flag}; ${haveIt(owners)} it`, seeHelp(called.name));
  const name = (owners.find((owner) => argv.includes(owner.name.split(" ")[1] ?? "")) ?? owners[0])?.name ?? called.name;
  return usageError(`${flag} goes after the command: ${name} ... ${flag}`, seeHelp(name));
}

/** `'ents network' and 'ents market' have` */
function haveIt(owners: readonly KnownCommand[]): string {
  const names = owners.map(({ name }) => `'${name}'`);
  return `${formatList(names, "and")} ${names.length > 1 ? "have" : "has"}`;
}

function hasFlag(table: OptionTable, flag: string): boolean {
  return findOption(table, flag) !== undefined;
}

function findOption(table: OptionTable, flag: string): OptionSpec | undefined {
  return Object.entries(table).find(([key, spec]) => flag === flagOf(key, spec) || flag === spec.short)?.[1];
}

/** The flags of that name in other tools; else those with that value: `--json` is `--format json`. */
function findMeant(name: string, table: OptionTable): string[] {
  const same = Object.entries<OptionSpec>({ ...table, ...COMMON_OPTIONS })
    .filter(([, { otherNames }]) => otherNames?.includes(name))
    .map(([key, spec]) => flagOf(key, spec));
  if (same.length > 0) return same;
  return findFlagWithChoice(name, table);
}
