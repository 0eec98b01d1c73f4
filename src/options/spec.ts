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
  /** The closed list that v4.md gives, checked unless `--allow-unknown`. */
  readonly choices?: readonly string[];
  /** At most so many values in one request. */
  readonly maxValues?: number;
  /** Given on, as `--no-…` turns it off. */
  readonly negated?: boolean;
  readonly help: string;
  /** Names the schema that leads from what was handed over to the checked value. */
  readonly schema: SchemaName;
}

export type SchemaName = keyof typeof SCHEMAS;

export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** The checked values of a table of options. */
export type OptionValues<T extends OptionTable> = { readonly [K in keyof T]?: z.output<(typeof SCHEMAS)[T[K]["schema"]]> | undefined };

/** What may be handed in for a table of options. */
export type OptionInput<T extends OptionTable> = { readonly [K in keyof T]?: z.input<(typeof SCHEMAS)[T[K]["schema"]]> | undefined };

/** `dateStart` → `--date-start`, `header` (negated) → `--no-header`. */
export function flagOf(key: string, spec?: OptionSpec): string {
  const kebab = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return spec?.negated ? `--no-${kebab}` : `--${kebab}`;
}

/** `-m, --metrics <metric...>`: a flag as help shows it. */
export function flagSyntax(key: string, spec: OptionSpec): string {
  const long = [flagOf(key, spec), spec.argument && `<${spec.argument}${spec.list ? "..." : ""}>`].filter(Boolean).join(" ");
  return spec.short ? `${spec.short}, ${long}` : long;
}

/** The options that a command has. */
export function optionsOf(table: OptionTable, command: CommandName): [key: string, spec: OptionSpec][] {
  return Object.entries(table).filter(([, spec]) => spec.commands?.includes(command) ?? true);
}
