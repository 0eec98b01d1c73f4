/** A shell on a terminal, with completion, in which keys are pressed. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { type Home } from "../support/run-ents.ts";
import { hasTmux, onTerminal, type Terminal } from "../support/tmux.ts";

export type ShellName = "bash" | "zsh" | "fish";

/** How a shell starts without anything of the user's own, and with completion as `ents completion <shell> --help` says. */
const STARTS: Readonly<Record<ShellName, { readonly file: string; readonly lines: readonly string[]; readonly start: string }>> = {
  bash: {
    file: "bashrc",
    lines: ["PS1='> '", "bind 'set show-all-if-ambiguous on'", "bind 'set page-completions off'", 'eval "$(ents completion bash)"'],
    start: "ENTS_CACHE_DIR=$PWD/cache bash --noprofile --rcfile bashrc -i",
  },
  zsh: {
    file: ".zshrc",
    lines: [
      "PS1='> '", // zsh's own TAB expands what stands before the cursor, whatever the command is.
      "bindkey '^I' complete-word",
      "autoload -Uz compinit && compinit -D -u",
      'eval "$(ents completion zsh)"',
    ],
    start: "ENTS_CACHE_DIR=$PWD/cache ZDOTDIR=. zsh -i",
  },
  fish: {
    file: "xdg/fish/config.fish",
    lines: ["function fish_prompt; echo '> '; end", "function fish_greeting; end", "ents completion fish | source"],
    start: "ENTS_CACHE_DIR=$PWD/cache XDG_CONFIG_HOME=$PWD/xdg fish -i",
  },
};

export function hasShell(name: ShellName): boolean {
  return hasTmux && spawnSync(name, ["-c", "exit"]).status === 0;
}

export interface Session {
  /** The command line after keys and TAB; `‸` is the cursor, at the end where none is typed. */
  readonly complete: (typed: string) => Promise<string>;
  /** What the screen shows from the command line on after keys and TAB, once a text is on it. */
  readonly list: (typed: string, last: string) => Promise<string>;
}

export async function inShell(name: ShellName, home: Home, use: (session: Session) => Promise<void>): Promise<void> {
  const { file, lines, start } = STARTS[name];
  mkdirSync(home.path("xdg/fish"), { recursive: true });
  writeFileSync(home.path(file), lines.map((line) => `${line}\n`).join(""));
  await onTerminal(start, { home, columns: 200 }, async (terminal) => {
    await terminal.until(/^>$/m);
    let count = 0;
    await use({
      complete: async (typed) => {
        press(terminal, typed);
        // A shell takes keys one after the other, so this comes where TAB has left the cursor.
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
