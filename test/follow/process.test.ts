/** `--follow` as a process: signals, readers who leave, a named pipe, a terminal. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isDue } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { hasTmux, onTerminal } from "../support/tmux.ts";

const FOLLOW = ["network", "NEM", "-m", "power", "-i", "5m", "--last", "30m", "--sandbox", "--follow", "-q"];

test.concurrent.for([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends it with %i, and what was printed is whole", async ([signal, code]) => {
  const { child, finished } = createHome().start(FOLLOW);
  child.stdout?.once("data", () => child.kill(signal));
  const run = await finished;
  expect(run).toMatchObject({ code, stderr: "" });
  expect(run.stdout).toMatch(/^timestamp,.*\n(?:20[^\n]+\n){6}$/);
});

// Where there is no /proc, it ends with the next bucket.
test.runIf(process.platform === "linux").concurrent("it ends soon after its reader, with 0", async () => {
  const line = `{ ents ${FOLLOW.join(" ")}; echo "code $?" >&2; } | head -3`;
  const started = performance.now();
  const { stdout, stderr } = await createHome().shell(line);
  expect(stderr).toBe("code 0\n");
  expect(stdout.split("\n")).toHaveLength(4);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test.runIf(process.platform === "linux").concurrent("also while the service does not answer", async () => {
  const service = await startService(() => ({ instead: "stall" }));
  const home = createHome();
  const line = `{ ents network NEM -m power -i 5m --last 30m --follow -q; echo "code $?" >&2; } | sleep 2`;
  const env = { ENTS_TOKEN: "token-of-a-test", ENTS_BASE_URL: service.url };
  expect((await home.shell(line, { env })).stderr).toBe("code 0\n");
  expect(service.requests).toHaveLength(1);
});

test.concurrent("a named pipe has one reader from beginning to end", async () => {
  const home = createHome();
  const stop = "until grep -q power out 2> /dev/null; do sleep 0.1; done; kill -TERM $!";
  const line = `mkfifo pipe; cat pipe > out & ents ${FOLLOW.join(" ")} -f csv -o pipe & ${stop}; wait $!; echo "code $?"; wait`;
  expect((await home.shell(line)).stdout).toBe("code 143\n");
  expect(readFileSync(home.path("out"), "utf8").split("\n")).toHaveLength(8);
});

describe.runIf(isDue(hasTmux)).concurrent("on a terminal", () => {
  test.for(["table", "chart"])("%s: drawn for its size, drawn anew for another, and given back", async (format) => {
    // A shell without a trap of its own would end with Ctrl-C.
    const line = `trap : INT; echo before; ents ${FOLLOW.join(" ")} -g fueltech -f ${format}`;
    await onTerminal(line, { columns: 120, rows: 40 }, async ({ until, tmux }) => {
      const state = () => tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").trim();
      expect(await until(/coal_black/)).not.toMatch(/before/);
      expect(state()).toBe("1 0");
      tmux("resize-window", "-x", "80", "-y", "24");
      expect(await until(format === "table" ? /^16 of 96 rows/m : /network\ntime \(UTC/)).toMatch(/coal_black/);
      tmux("send-keys", "C-c");
      await until(/\[exit \d+\]/);
      expect(tmux("capture-pane", "-p", "-S", "-50")).toMatch(/^before\n[^]*coal_black[^]*\n\[exit 130\]\n+$/);
      expect(state()).toBe("0 1");
    });
  });
});
