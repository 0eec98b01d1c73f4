import type { CommandName } from "../base/vocabulary.ts";
import type { READERS } from "./schemas.ts";

/** One flag: parser, types, help, docs and query string all come from this. */
export interface OptionSpec {
  readonly short?: `-${string}`;
  /** How it is written, for a switch that looks like the value of another flag: `--require-complete=each`. */
  readonly spelling?: `--${string}=${string}`;
  /** Alternative names that are accepted, without dashes; not shown in help and completion. */
  readonly aliases?: readonly string[];
  readonly argument?: string;
  /** Takes several values: after spaces, after commas, repeated, or from `@file`. */
  readonly list?: boolean;
  readonly parameter?: string;
  /** The data commands with this flag; by default all three. */
  readonly commands?: readonly CommandName[];
  readonly required?: boolean;
  readonly choices?: readonly string[];
  /** The choices shown in help and completion, by default all. The others are refused with a specific message. */
  readonly offered?: readonly string[];
  /** The choices per command, for commands that lack some. */
  readonly choicesOf?: Readonly<Partial<Record<CommandName, readonly string[]>>>;
  /** True if messages about unknown values must not suggest choices of other flags. */
  readonly suggestsOwnChoicesOnly?: boolean;
  /** The kind of its values, for completion; not needed with `choices`, unless completion describes or narrows them. */
  readonly kind?: ValueKind;
  /** Values to offer in completion: keywords such as `today`, and common ones such as `7d`. */
  readonly suggestions?: readonly string[];
  readonly choicesIn?: string;
  readonly maxValues?: number;
  /** The default, as on the command line. A switch is off by default, a `negated` one on. */
  readonly default?: string | number;
  /** Help text for a default that is not one value. */
  readonly defaultText?: string;
  /** What the public service does without it. */
  readonly serviceDefault?: string;
  /** Values that are sent as well, with a note. */
  readonly alsoTakes?: (value: string) => boolean;
  /** The switch that lifts `choices`, `maxValues` or `default`. */
  readonly relaxedBy?: string;
  /** A key of `ents config`: `src/settings` fills in the default, not the parser. */
  readonly isSetting?: boolean;
  /** Options that it cannot be used with. */
  readonly conflicts?: readonly string[];
  /** Why, and what to do instead, for some of them; `{flag}` and `{output}` are filled in. */
  readonly conflictHints?: Readonly<Record<string, { readonly because?: string; readonly use: string }>>;
  readonly needs?: readonly string[];
  /** It needs one of these. */
  readonly needsOne?: readonly string[];
  readonly needsHint?: string;
  /** Other options that get its value. */
  readonly sets?: readonly string[];
  /** On by default; the flag is `--no-…`. */
  readonly negated?: boolean;
  readonly help: string;
  /** Its heading in help; by default that of its table. */
  readonly group?: string;
  /** Its help text in `-h`, which shows only flags with such a text: those needed most often. */
  readonly brief?: string;
  /** Needed only by programs: omitted from help, but in the manual page, the reference and completion. */
  readonly forPrograms?: true;
  readonly schema: SchemaName;
}

type SchemaName = keyof typeof READERS;

export type ValueKind =
  | "facility"
  | "file"
  | "format"
  | "fueltech"
  | "fueltech group"
  | "label"
  | "metric"
  | "network"
  | "region"
  | "setting"
  | "status"
  | "time zone"
  | "unit";

export type OptionTable = Readonly<Record<string, OptionSpec>>;

export type NamedOption = readonly [key: string, spec: OptionSpec];

/** The checked values of a table of options. */
export type OptionValues<T> = {
  readonly [K in keyof T as AlwaysHasValue<T[K]> extends true ? K : never]: OptionValue<T[K]>;
} & {
  readonly [K in keyof T as AlwaysHasValue<T[K]> extends true ? never : K]?: OptionValue<T[K]> | undefined;
};

type OptionValue<S> = S extends { readonly schema: "choice"; readonly choices: readonly (infer C)[] }
  ? C
  : S extends { readonly schema: infer N extends SchemaName }
    ? ReturnType<(typeof READERS)[N]>
    : never;

type AlwaysHasValue<S> = S extends { readonly required: true } | { readonly schema: "flag" }
  ? true
  : S extends { readonly relaxedBy: string } | { readonly isSetting: true }
    ? false
    : S extends { readonly default: string | number }
      ? true
      : false;

/** The unchecked values of a table of options. */
export type OptionInput<T extends OptionTable> = {
  readonly [K in keyof T]?: Parameters<(typeof READERS)[T[K]["schema"]]>[0] | undefined;
};

/** `dateStart` → `--date-start`, `header` (negated) → `--no-header`. */
export function flagOf(key: string, spec?: OptionSpec): string {
  if (spec?.spelling !== undefined) return spec.spelling;
  const kebab = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return spec?.negated ? `--no-${kebab}` : `--${kebab}`;
}

/** True if `word` is the flag, its short form or one of its aliases. */
export function isFlagOf(word: string, [key, spec]: NamedOption): boolean {
  return [flagOf(key, spec), spec.short, ...(spec.aliases ?? []).map((alias) => flagOf(alias))].includes(word);
}

export function flagsOf<T extends OptionTable>(table: T): { readonly [K in keyof T]: string } {
  return Object.fromEntries(Object.entries(table).map(([key, spec]) => [key, flagOf(key, spec)])) as {
    [K in keyof T]: string;
  };
}

/** The options of one command. The type still includes those of other commands; their values are undefined. */
export function optionsOf<T extends OptionTable>(table: T, command: CommandName): T {
  const own = Object.entries<OptionSpec>(table).filter(([, { commands }]) => commands?.includes(command) ?? true);
  return Object.fromEntries(
    own.map(([key, spec]) => {
      const choices = spec.choicesOf?.[command];
      return [key, choices ? { ...spec, choices } : spec];
    }),
  ) as T;
}

/** `-m, --metrics <metric...>` */
export function flagSyntax(key: string, spec: OptionSpec): string {
  return spec.short ? `${spec.short}, ${longSyntax(key, spec)}` : longSyntax(key, spec);
}

/** `--metrics <metric...>` */
export function longSyntax(key: string, spec: OptionSpec): string {
  return [flagOf(key, spec), spec.argument && `<${spec.argument}${spec.list ? "..." : ""}>`].filter(Boolean).join(" ");
}

/** `maximum requests per second (default: 2, none with --sandbox)`. */
export function describeOption(spec: OptionSpec): string {
  const fallback = describeDefault(spec);
  const facts = [describeValues(spec), fallback && `default: ${fallback}`].filter(Boolean).join("; ");
  return facts === "" ? spec.help : `${spec.help} (${facts})`;
}

/** `required`, `choices: long, wide`, `at most 30`; undefined if any value is allowed. @public scripts/facts.mjs has it. */
export function describeValues({
  choices,
  offered = choices,
  choicesIn,
  required,
  maxValues,
}: OptionSpec): string | undefined {
  const facts = [
    required && "required",
    choicesIn ? `see '${choicesIn}'` : offered && `choices: ${offered.join(", ")}`,
    maxValues !== undefined && `at most ${maxValues}`,
  ];
  return facts.filter(Boolean).join("; ") || undefined;
}

/** Undefined if there is no default or the service chooses it. @public */
export function describeDefault({ default: value, defaultText, relaxedBy }: OptionSpec): string | undefined {
  const text = defaultText ?? value?.toString();
  return text === undefined || relaxedBy === undefined ? text : `${text}, none with ${flagOf(relaxedBy)}`;
}
