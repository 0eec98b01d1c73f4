/** What help and docs say of an option. */
import { flagOf, type OptionSpec } from "./spec.ts";

/** `-m, --metrics <metric...>`: a flag as help shows it. */
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

/** `required`, `choices: long, wide`, `at most 30`; undefined where any value goes. */
export function describeValues({ choices, choicesIn, required, maxValues }: OptionSpec): string | undefined {
  const facts = [
    required && "required",
    choicesIn ? `see '${choicesIn}'` : choices && `choices: ${choices.join(", ")}`,
    maxValues !== undefined && `at most ${maxValues}`,
  ];
  return facts.filter(Boolean).join("; ") || undefined;
}

/** Undefined where there is no default, or it is the service's. */
export function describeDefault({ default: value, defaultText, liftedBy }: OptionSpec): string | undefined {
  const text = defaultText ?? (value === undefined ? undefined : String(value));
  return text === undefined || liftedBy === undefined ? text : `${text}, none with ${flagOf(liftedBy)}`;
}
