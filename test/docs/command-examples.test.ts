/**
 * The examples of all commands in help, the reference and the manual page work as printed, for a newcomer with a free
 * key.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Interrupted } from "../../src/base/errors.ts";
import { type Sandbox, startSandbox } from "../../src/index.ts";
import { FULL, runs } from "../support/extent.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import { readPlainLine } from "../support/shell-words.ts";
import { type Clock, createVirtualClock } from "../support/virtual-clock.ts";
import { EXAMPLES } from "./examples.ts";

/** `ents login` reads from a program that is not installed here. */
const LINES = [...new Set(EXAMPLES.map((line) => line.replace(/^pass show \w+ \| /, "")))]
  // Months of data take a while at the rate of a free key.
  .filter((line) => FULL || !/ --update$| --recheck all$| --cache 7d$/.test(line));
const TIMES = ["2027-11-25T00:00Z", "2026-11-25T00:00Z"].slice(0, runs(1, 2));

describe.each(TIMES)("at %s", (time) => {
  const clock = createVirtualClock(0, () => Date.parse(time));

  test.concurrent.each(LINES.filter(readPlainLine))("%s", async (line) => {
    const service = { behind: 0 };
    const sandbox = await startSandbox({ plan: "community", now: () => clock.now() - service.behind });
    const home = createHome();
    const outputs = /^ents (?:update|log|show|check) /.test(line)
      ? (line.match(/(?<!-o )\b\w+\.csv/g) ?? ["price.csv"])
      : [];
    for (const name of outputs) await makeOutput(home, name, { sandbox, clock, service });
    writeFileSync(home.path("codes.txt"), "BAYSW\nMP\n");
    const { code, stdout, stderr } = await runExample(home, line, { sandbox, clock });
    await sandbox.close();
    const lasts = / --follow$|^ents sandbox/.test(line);
    expect({ code, stderr }).toEqual({
      code: lasts ? 130 : 0,
      stderr: expect.not.stringMatching(/ no data |warning: (?!.* is still in progress)/) as string,
    });
    if (!/^ents (?:network|facilities|market) /.test(line)) return;
    const [file] = readdirSync(home.folder).filter((name) => name.endsWith(".csv"));
    const rows = (file === undefined ? stdout : readFileSync(home.path(file), "utf8")).trim().split("\n");
    expect(rows.length).toBeGreaterThan(5);
    for (const facility of ["BW01", "MP1"]) expect(stdout.includes(facility)).toBe(/BAYSW|@codes/.test(line));
  });
});

/** The output that an example names was made 40 days ago. */
async function makeOutput(
  home: Home,
  name: string,
  { sandbox, clock, service }: Around & { readonly service: { behind: number } },
): Promise<void> {
  service.behind = 40 * 86_400_000;
  const line = "market NEM -m price -i 1h -s -7d -g region --update --history --complete --rate 1 -q -o";
  const env = { ENTS_BASE_URL: sandbox.baseUrl, ENTS_TOKEN: sandbox.token };
  const run = await home.run([...line.split(" "), name], {
    env,
    clock: { ...clock, now: () => clock.now() - service.behind },
  });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  service.behind = 0;
}

interface Around {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
}

/** Runs an example; a command that runs until Ctrl-C is stopped once it waits. */
function runExample(home: Home, line: string, { sandbox, clock }: Around): Promise<Run> {
  const { args = [] } = readPlainLine(line.replace(" --port 8080", "").replace("/data", ".")) ?? {};
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Interrupted("SIGINT"));
  let slept = 0;
  const sleep: Clock["sleep"] = (ms, signal) => {
    if ((slept += ms) > 30_000 && line.endsWith(" --follow")) interrupt();
    return clock.sleep(ms, signal);
  };
  return home.run(args, {
    signal: stop.signal,
    ...(args[0] === "sandbox" ? { onOutput: interrupt } : {}),
    stdin: `${sandbox.token}\n`,
    env: { ENTS_BASE_URL: sandbox.baseUrl, ...(args[0] === "login" ? {} : { ENTS_TOKEN: sandbox.token }) },
    clock: { ...clock, sleep },
  });
}
