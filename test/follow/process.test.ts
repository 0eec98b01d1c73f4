/** `--follow` as a process: signals, readers that leave, a named pipe. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { FULL, some } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { HAS_SIGNALS } from "../support/platform.ts";

/** Nothing new comes before midnight. */
const FOLLOW = ["network", "NEM", "-m", "power", "-i", "1d", "--last", "7d", "--sandbox", "--follow", "-q"];

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

test.skipIf(!HAS_SIGNALS).concurrent.for(some(1, SIGNALS))(
  "%s ends it with %i, and its output is complete",
  async ([signal, code]) => {
    const { child, finished } = createHome().start(FOLLOW);
    child.stdout?.once("data", () => child.kill(signal));
    const run = await finished;
    expect(run).toMatchObject({ code, stderr: "" });
    expect(run.stdout).toMatch(/^timestamp,.*\n(?:20[^\n]+\n){6,}$/);
  },
);

// Without /proc, it only ends with the next interval.
test
  .runIf(process.platform === "linux")
  .concurrent("it ends after its reader, with 0, without waiting for the next day", async () => {
    const line = `{ ents ${FOLLOW.join(" ")}; echo "code $?" >&2; } | head -3`;
    const { stdout, stderr } = await createHome().shell(line);
    expect(stderr).toBe("code 0\n");
    expect(stdout.split("\n")).toHaveLength(4);
  });

test.runIf(FULL && process.platform === "linux").concurrent("also while the service does not answer", async () => {
  const service = await startService(() => ({ instead: "stall" }));
  const home = createHome();
  // Reads until the gate is opened and closed.
  const line = `mkfifo gate; { ents network NEM -m power -i 5m --last 30m --follow -q; echo "code $?" >&2; } | cat gate`;
  const env = { ENTS_TOKEN: "token-of-a-test", ENTS_BASE_URL: service.url };
  const finished = home.shell(line, { env });
  await service.received(1);
  await writeFile(home.path("gate"), "");
  expect((await finished).stderr).toBe("code 0\n");
  expect(service.requests).toHaveLength(1);
});

test.runIf(FULL).concurrent("a named pipe has one reader from start to end", async () => {
  const home = createHome();
  const stop = "until grep -q power out 2> /dev/null; do sleep 0.1; done; kill -TERM $!";
  const line = `mkfifo pipe; cat pipe > out & ents ${FOLLOW.join(" ")} -f csv -o pipe & ${stop}; wait $!; echo "code $?"; wait`;
  expect((await home.shell(line)).stdout).toBe("code 143\n");
  expect(readFileSync(home.path("out"), "utf8")).toMatch(/^timestamp,.*\n(?:20[^\n]+\n){6,}$/);
});
