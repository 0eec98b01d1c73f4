/** A shell with completion on a terminal, for tests that press keys. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { type Home } from "../support/run-ents.ts";
import { hasTmux, onTerminal, type Terminal } from "../support/tmux.ts";

export type ShellName = "bash" | "zsh" | "fish";

/**
 * Starts each shell without the settings of the user and of the machine, and with completion as `ents completion
 * <shell> --help` says.
 */
const STARTS: Readonly<
  Record<ShellName, { readonly file: string; readonly lines: readonly string[]; readonly start: string }>
> = {
  bash: {
    file: "bashrc",
    lines: [
      "PS1='> '",
      "bind 'set show-all-if-ambiguous on'",
      "bind 'set page-completions off'",
      'eval "$(ents completion bash)"',
    ],
    start: "ENTS_CACHE_DIR=$PWD/cache PROMPT_COMMAND='unset PROMPT_COMMAND; . ./bashrc' bash --noprofile --norc -i",
  },
  zsh: {
    file: ".zshrc",
    lines: [
      "PS1='> '", // By default, TAB in zsh expands the word before the cursor, whatever the command is.
      "bindkey '^I' complete-word",
      "autoload -Uz compinit && compinit -D -u",
      'eval "$(ents completion zsh)"',
    ],
    start: "ENTS_CACHE_DIR=$PWD/cache ZDOTDIR=. zsh -d -i",
  },
  fish: {
    file: "xdg/fish/config.fish",
    lines: ["function fish_prompt; echo '> '; end", "function fish_greeting; end", "ents completion fish | source"],
    start:
      "ENTS_CACHE_DIR=$PWD/cache XDG_CONFIG_HOME=$PWD/xdg XDG_DATA_HOME=$PWD/share XDG_DATA_DIRS=$PWD/none MANPATH=$PWD/man fish -i",
  },
};

/** Where fish keeps the completions that it makes from man pages. */
export const FROM_MAN_PAGES = "share/fish/generated_completions";

export function hasShell(name: ShellName): boolean {
  return hasTmux && spawnSync(name, ["-c", "exit"]).status === 0;
}

export interface Session {
  /** The command line after typing and TAB; `‸` marks the cursor, which is otherwise at the end. */
  readonly complete: (typed: string) => Promise<string>;
  /** The screen from the command line on, after typing and TAB, once it shows `last`. */
  readonly list: (typed: string, last: string) => Promise<string>;
}

export async function inShell(name: ShellName, home: Home, use: (session: Session) => Promise<void>): Promise<void> {
  const { file, lines, start } = STARTS[name];
  mkdirSync(home.path("xdg/fish"), { recursive: true });
  mkdirSync(home.path(FROM_MAN_PAGES), { recursive: true });
  writeFileSync(home.path(file), lines.map((line) => `${line}\n`).join(""));
  await onTerminal(start, { home, columns: 200 }, async (terminal) => {
    await terminal.until(/^>$/m);
    let count = 0;
    await use({
      complete: async (typed) => {
        press(terminal, typed);
        // Keys are processed in order, so the mark appears where TAB left the cursor.
        const mark = `@${++count}@`;
        terminal.type(mark);
        const screen = await terminal.until(new RegExp(`^> .*${mark}`, "m"));
        giveUp(terminal);
        const line = screen.split("\n").find((one) => one.includes(mark)) ?? "";
        return line.slice("> ".length).replace(mark, "‸");
      },
      list: async (typed, last) => {
        press(terminal, typed);
        const line = `> ${typed.trimEnd()}`;
        const screen = await terminal.until(new RegExp(`${escape(line)}\\n[^]*^(?!> ).*${escape(last)}`, "m"));
        giveUp(terminal);
        return screen.slice(screen.indexOf(`${line}\n`));
      },
    });
  });
}

function press({ type, tmux }: Terminal, typed: string): void {
  const [before = "", after = ""] = typed.split("‸");
  type(before + after);
  for (const _char of after) tmux("send-keys", "Left");
  tmux("send-keys", "Tab");
}

/** Deletes the line. */
function giveUp({ tmux }: Terminal): void {
  tmux("send-keys", "C-e", "C-u");
}

function escape(text: string): string {
  return text.replaceAll(/\W/g, "\\$&");
}
