/** A real terminal for tests: tmux. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createHome, type Home, homeEnv } from "./run-ents.ts";

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** How long a screen may take to show something: less than two minutes, so that a failure is seen soon. */
const SCREEN_MS = 100_000;
/** How long the processes of a terminal that is closed may take to end. */
const END_MS = 10_000;

let terminals = 0;

export interface Terminal {
  /** The screen as text. */
  readonly read: () => string;
  /** The screen with its colours. */
  readonly readColors: () => string;
  readonly type: (text: string) => void;
  readonly tmux: (...args: readonly string[]) => string;
  /** Waits until the screen shows it; fails with the screen. */
  readonly until: (shown: RegExp | ((screen: string) => boolean)) => Promise<string>;
}

/** Runs a line of shell on a terminal of its own; resolves when it has ended. */
export async function onTerminal(
  line: string,
  options: { home?: Home; columns?: number; rows?: number; env?: Record<string, string> },
  look: (terminal: Terminal) => Promise<void>,
) {
  const { home = createHome(), columns = 100, rows = 50, env = {} } = options;
  const socket = `ents-e2e-${process.pid}-${terminals++}`;
  // The socket is deleted with the home. The user's own shell is not used, as nologin would end at once.
  const environment = { ...homeEnv(home.folder), LC_ALL: "C.UTF-8", TMUX_TMPDIR: home.folder };
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-L", socket, ...args], { encoding: "utf8", env: environment });
  const size = ["-x", String(columns), "-y", String(rows)];
  const settings = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  // Every process on the terminal holds this pipe open; it ends with the last one.
  const alive = home.path(`.${socket}`);
  execFileSync("mkfifo", [alive]);
  const ended = once(spawn("cat", [alive]), "exit");
  try {
    tmux(
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      ...size,
      ...settings,
      `exec 9> ${alive}; cd ${home.folder}; ${line}; printf "[exit %d]" $?; sleep 900`,
    );
    const read = () => tmux("capture-pane", "-p");
    await look({
      tmux,
      read,
      readColors: () => tmux("capture-pane", "-p", "-e"),
      type: (text) => void tmux("send-keys", "-l", text),
      until: async (shown) => {
        const deadline = Date.now() + SCREEN_MS;
        for (;;) {
          const screen = read();
          if (typeof shown === "function" ? shown(screen) : shown.test(screen)) return screen;
          if (Date.now() > deadline)
            throw new Error(`after ${SCREEN_MS / 1000} s the screen does not show ${String(shown)}:\n${screen}`);
          // Starting tmux takes a large process long.
          await sleep(250);
        }
      },
    });
  } finally {
    spawnSync("tmux", ["-L", socket, "kill-server"], { env: environment });
    // A shell that hangs up still writes its history, so the folder must stay until all have ended.
    await Promise.race([ended, sleep(END_MS, undefined, { ref: false })]);
  }
}
