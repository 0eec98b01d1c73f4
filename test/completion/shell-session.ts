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
    lines: ["PS1='> '", "setopt interactivecomments", "autoload -Uz compinit && compinit -D -u", 'eval "$(ents completion zsh)"'],
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
  /** The command line after keys, TAB and a `|` are pressed. `‸` is where the cursor is. */
  readonly complete: (typed: string) => Promise<string>;
  /** The screen after keys and TAB, once it shows something. */
  readonly list: (typed: string, shown: RegExp) => Promise<string>;
  readonly home: Home;
}

/** The end of what is typed after TAB: a shell takes keys one after the other, so it comes when TAB has done its work. */
const MARK = "@@";

export async function inShell(name: ShellName, home: Home, use: (session: Session) => Promise<void>): Promise<void> {
  const { file, lines, start } = STARTS[name];
  mkdirSync(home.path("xdg/fish"), { recursive: true });
  writeFileSync(home.path(file), lines.map((line) => `${line}\n`).join(""));
  await onTerminal(start, { home, columns: 200 }, async (terminal) => {
    await terminal.until(/^>$/m);
    await use({
      home,
      complete: async (typed) => {
        press(terminal, typed);
        terminal.type(MARK);
        const screen = await terminal.until(new RegExp(`^> .*${MARK}`, "m"));
        await clear(terminal);
        return readCommand(screen).replace(MARK, "‸");
      },
      list: async (typed, shown) => {
        press(terminal, typed);
        const screen = await terminal.until(shown);
        await clear(terminal);
        return screen;
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

function readCommand(screen: string): string {
  return (
    screen
      .split("\n")
      .findLast((line) => line.startsWith("> "))
      ?.slice("> ".length) ?? ""
  );
}

/** Gives the line up, and the screen. */
async function clear({ tmux, until }: Terminal): Promise<void> {
  tmux("send-keys", "C-e", "C-u", "clear", "Enter");
  await until(/^>\s*$/);
}
