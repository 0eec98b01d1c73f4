import type * as z from "zod/mini";
import type { CommandName } from "../base/vocabulary.ts";
import type { SCHEMAS } from "./schemas.ts";

/** One flag: parser, types, help, docs and query string all come from this. */
export interface OptionSpec {
  readonly short?: `-${string}`;
  /** Names that other tools have for it, without dashes: messages about unknown flags know them. */
  readonly otherNames?: readonly string[];
  /** The value's name in help; a switch has none. */
  readonly argument?: string;
  /** Takes several values: after spaces, after commas, repeated, or from `@file`. */
  readonly list?: boolean;
  /** The v4 query parameter that carries it. */
  readonly parameter?: string;
  /** The data commands that have it; by default all three. */
  readonly commands?: readonly CommandName[];
  readonly required?: boolean;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** The choices that help and completion show; the others are refused with a reason of their own. By default all. */
  readonly offered?: readonly string[];
  /** The choices of a command that does not have them all. */
  readonly choicesOf?: Readonly<Partial<Record<CommandName, readonly string[]>>>;
  /** Names that other tools have for a choice, in lower case: messages about unknown values know them. */
  readonly otherValues?: Readonly<Record<string, readonly string[]>>;
  /** Whether messages about unknown values leave out the choices of other flags. */
  readonly meansNoOther?: boolean;
  /** What its values are, for completion: `choices` need no kind, unless they are described or narrowed. */
  readonly kind?: ValueKind;
  /** Some of its values, for completion: keywords such as `today`, and usual ones such as `7d`. */
  readonly suggestions?: readonly string[];
  /** The command that lists the choices, if they are too many for help. */
  readonly choicesIn?: string;
  /** The maximum number of values in one request. */
  readonly maxValues?: number;
  /** What to do instead where several values are given to a flag that takes one. */
  readonly severalHint?: string;
  /** The default, as on the command line. A switch is off by default, a `negated` one on. */
  readonly default?: string | number;
  /** Help text for a default that is not one value. */
  readonly defaultText?: string;
  /** The switch that lifts `choices`, `maxValues` or `default`. */
  readonly liftedBy?: string;
  /** A key of `ents config`: `src/settings` fills in the default, not the parser. */
  readonly isSetting?: boolean;
  /** Options that it cannot be used with. */
  readonly conflicts?: readonly string[];
  /** Options that it cannot be used without. */
  readonly needs?: readonly string[];
  /** On by default; the flag is `--no-…`. */
  readonly negated?: boolean;
  readonly help: string;
  /** The schema that parses its value. */
  readonly schema: SchemaName;
}

export type SchemaName = keyof typeof SCHEMAS;

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

/** The checked values of a table of options. */
export type OptionValues<T> = {
  readonly [K in keyof T as AlwaysHasValue<T[K]> extends true ? K : never]: OptionValue<T[K]>;
} & {
  readonly [K in keyof T as AlwaysHasValue<T[K]> extends true ? never : K]?: OptionValue<T[K]> | undefined;
};

type OptionValue<S> = S extends { readonly schema: "choice"; readonly choices: readonly (infer C)[] }
  ? C
  : S extends { readonly schema: infer N extends SchemaName }
    ? z.output<(typeof SCHEMAS)[N]>
    : never;

type AlwaysHasValue<S> = S extends { readonly required: true } | { readonly schema: "flag" }
  ? true
  : S extends { readonly liftedBy: string } | { readonly isSetting: true }
    ? false
    : S extends { readonly default: string | number }
      ? true
      : false;

/** The unchecked values of a table of options. */
export type OptionInput<T extends OptionTable> = { readonly [K in keyof T]?: z.input<(typeof SCHEMAS)[T[K]["schema"]]> | undefined };

/** `dateStart` → `--date-start`, `header` (negated) → `--no-header`. */
export function flagOf(key: string, spec?: OptionSpec): string {
  const kebab = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return spec?.negated ? `--no-${kebab}` : `--${kebab}`;
}

/** The flags of a table by option key, for messages. */
export function flagsOf<T extends OptionTable>(table: T): { readonly [K in keyof T]: string } {
  return Object.fromEntries(Object.entries(table).map(([key, spec]) => [key, flagOf(key, spec)])) as { [K in keyof T]: string };
}

/** The options of one command. The type keeps those of other commands: their values are undefined. */
export function optionsOf<T extends OptionTable>(table: T, command: CommandName): T {
  const own = Object.entries(table).filter(([, spec]) => spec.commands?.includes(command) ?? true);
  return Object.fromEntries(own.map(([key, spec]) => [key, narrowChoices(spec, command)])) as T;
}

function narrowChoices(spec: OptionSpec, command: CommandName): OptionSpec {
  const choices = spec.choicesOf?.[command];
  return choices ? { ...spec, choices } : spec;
}
