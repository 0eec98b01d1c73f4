/** Options as help and docs show them. */
import { flagOf, type OptionSpec } from "./spec.ts";

/** `-m, --metrics <metric...>` */
export function flagSyntax(key: string, spec: OptionSpec): string {
  const long = [flagOf(key, spec), spec.argument && `<${spec.argument}${spec.list ? "..." : ""}>`].filter(Boolean).join(" ");
  return spec.short ? `${spec.short}, ${long}` : long;
}

/** `maximum requests per second (default: 2, none with --sandbox)`. */
export function describeOption(spec: OptionSpec): string {
  const fallback = describeDefault(spec);
  const facts = [describeValues(spec), fallback && `default: ${fallback}`].filter(Boolean).join("; ");
  return facts === "" ? spec.help : `${spec.help} (${facts})`;
}

/** `required`, `choices: long, wide`, `at most 30`; undefined if any value is allowed. */
export function describeValues({ choices, offered = choices, choicesIn, required, maxValues }: OptionSpec): string | undefined {
  const facts = [
    required && "required",
    choicesIn ? `see '${choicesIn}'` : offered && `choices: ${offered.join(", ")}`,
    maxValues !== undefined && `at most ${maxValues}`,
  ];
  return facts.filter(Boolean).join("; ") || undefined;
}

/** Undefined if there is no default or the service chooses it. */
export function describeDefault({ default: value, defaultText, liftedBy }: OptionSpec): string | undefined {
  const text = defaultText ?? (value === undefined ? undefined : String(value));
  return text === undefined || liftedBy === undefined ? text : `${text}, none with ${flagOf(liftedBy)}`;
}
