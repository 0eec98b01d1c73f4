import type * as z from "zod";
import type { CommandName } from "../base/vocabulary.ts";
import type { SCHEMAS } from "./schemas.ts";

/** One flag: everything that parser, types, help, docs and the query string need to know of it. */
export interface OptionSpec {
  readonly short?: `-${string}`;
  /** What help shows for the value; a switch has none. */
  readonly argument?: string;
  /** Takes several values: after spaces, after commas, repeated, or from `@file`. */
  readonly list?: boolean;
  /** The v4 query parameter that carries it. */
  readonly parameter?: string;
  /** The data commands that have it; all three when absent. */
  readonly commands?: readonly CommandName[];
  readonly required?: boolean;
  /** The closed list of its values. */
  readonly choices?: readonly string[];
  /** The command that lists the choices, where they are too many for help. */
  readonly choicesIn?: string;
  /** At most so many values in one request. */
  readonly maxValues?: number;
  /** What holds when the flag is not given, as it would be given. A switch is off, or on where it is `negated`. */
  readonly default?: string | number;
  /** What help says of a default that depends on something, in place of the value. */
  readonly defaultText?: string;
  /** The switch that lifts `choices`, `maxValues` or `default`. */
  readonly liftedBy?: string;
  /** `ents config` keeps it, under the flag's name: the settings put the default in, not the parser. */
  readonly kept?: boolean;
  /** Options that it cannot be given together with. */
  readonly conflicts?: readonly string[];
  /** Given on, as `--no-…` turns it off. */
  readonly negated?: boolean;
  readonly help: string;
  /** Names the schema that leads from what was handed over to the checked value. */
  readonly schema: SchemaName;
}

export type SchemaName = keyof typeof SCHEMAS;

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
  : S extends { readonly liftedBy: string } | { readonly kept: true }
    ? false
    : S extends { readonly default: string | number }
      ? true
      : false;

/** What may be handed in for a table of options. */
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

/** The options that a command has. Those of other commands are missing, though the type has them: their values are undefined. */
export function optionsOf<T extends OptionTable>(table: T, command: CommandName): T {
  return Object.fromEntries(Object.entries(table).filter(([, spec]) => spec.commands?.includes(command) ?? true)) as T;
}
