import type { Context } from "../base/context.ts";
import type { OptionTable } from "../options/spec.ts";
import type { Report } from "../base/report.ts";

/** A command as the list of all shows it. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandSpec>;
}

/** What the help of a command says, which flags it has, and what it does. */
export interface CommandSpec {
  /** As help shows them: `<network_code>`. The command checks them itself, to say more than that one is missing. */
  readonly arguments?: readonly string[];
  /** Flags under the headings of help, besides those that every command has. */
  readonly options?: Readonly<Record<string, OptionTable>>;
  readonly examples?: readonly Example[];
  /** Further paragraphs of help, by heading. */
  readonly notes?: Readonly<Record<string, readonly string[]>>;
  readonly subcommands?: readonly (CommandSpec & Pick<CommandEntry, "name" | "summary">)[];
  readonly run?: (invocation: Invocation) => Promise<void>;
}

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** A command as it was called. */
export interface Invocation {
  readonly arguments: readonly string[];
  /** Raw flag values by option key: text, `true` for switches, lists with commas and `@file` resolved. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly context: Context;
  readonly report: Report;
}
