/** Jobs that outlive what started them: the terminal, or the folder that they run in. */
import { mkdirSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { createProcessContext } from "../../src/main/process-context.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { POWER, TOKEN } from "./envelopes.ts";
import { HAS_SIGNALS } from "../support/platform.ts";

test.skipIf(!HAS_SIGNALS)(
  "SIGHUP does not end a run without a terminal: Node resets what nohup has ignored",
  async () => {
    const home = createHome();
    let answer = () => {};
    let arrive = () => {};
    const asked = new Promise<void>((resolve) => (arrive = resolve));
    const after = new Promise<void>((resolve) => (answer = resolve));
    const service = await startService(() => {
      arrive();
      return { ...POWER, after };
    });
    const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
    const { child, finished } = home.start(["network", "NEM", "-m", "power", "--last", "1d"], { env });
    await asked;
    child.kill("SIGHUP");
    setTimeout(answer, 100);
    expect(await finished).toMatchObject({
      code: 0,
      signal: null,
      stdout: expect.stringContaining("20380.1976") as string,
    });
  },
);

test("a console that is closed ends a drawing run where SIGHUP cannot be sent, as on Windows", () => {
  const { jobControl } = createProcessContext(new AbortController().signal);
  const sent: unknown[] = [];
  const kill = vi.spyOn(process, "kill").mockImplementation((_pid, name) => {
    if (name === "SIGHUP") throw new Error("kill ENOSYS");
    sent.push(name);
    return true;
  });
  const left = vi.fn<() => void>();
  // conf has one, which sends the signal on.
  process.removeAllListeners("SIGHUP");
  jobControl?.use({ leave: left, enter: () => {} });
  process.emit("SIGHUP", "SIGHUP");
  kill.mockRestore();
  expect([left.mock.calls.length, sent]).toEqual([1, ["SIGKILL"]]);
});

test.skipIf(process.platform === "win32")(
  "in a folder that was deleted, only what needs it fails: in one line, exit 6",
  async () => {
    const home = createHome();
    const service = await startService(() => POWER);
    const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
    mkdirSync(home.path("gone"));
    const fetch = "ents network NEM -m power -f csv";
    const lines = [
      `${fetch} -q | wc -l`,
      `${fetch} -q -o "$OLDPWD/out.csv"`,
      `${fetch} -o out.csv`,
      `${fetch} -i 1h -s 2025 -o out.csv --update`,
      "ents update .",
      `${fetch} -r @regions.txt`,
    ];
    const codes = lines.map((line) => `${line}; echo $?`).join("; ");
    const { stdout, stderr } = await home.shell(`cd gone && rmdir ../gone && ${codes}`, { env });
    expect(stdout.split("\n")).toEqual(["3", "0", "0", "6", "6", "6", "6", ""]);
    expect(stderr.match(/^ents: .*$/gm)).toEqual(
      Array(4).fill(expect.stringMatching(/the current folder has been deleted$/)),
    );
  },
);
