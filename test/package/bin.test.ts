/** If ents cannot run, bin/ents prints one clear line. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { POWER, TOKEN } from "../e2e/envelopes.ts";
import { some } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { BIN, createFolder, ROOT, runAs, runCommand } from "./process.ts";
import { HAS_SHELL } from "../support/platform.ts";

test.each(["0.10.48", "18.20.8", "20.9.0", "20.18.0"])("on Node %s it says which one it needs", (version) => {
  expect(runAs(version, [BIN, "--version"])).toEqual({
    code: 2,
    stdout: "",
    stderr: `ents: Node 20.18.1 or later is needed; this is v${version}\n`,
  });
});

test.each(["20.18.1", "20.19.0", "22.0.0", "24.1.0"])("on Node %s it runs", (version) => {
  expect(runAs(version, [BIN, "--version"]).code).toBe(0);
});

test("it names the Node of package.json, in syntax that every Node reads", () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { engines: { node: string } };
  const program = readFileSync(BIN, "utf8");
  expect(program).toContain(`Node ${engines.node.replace(">=", "")} or later`);
  expect(program).not.toMatch(/=>|\b(const|let|class|async|import)\b|`|[?][.]/);
});

test.skipIf(!HAS_SHELL)("without WebAssembly, it says at once what is missing", async () => {
  const service = await startService(() => POWER);
  const { code, stderr } = await createHome().shell(
    'exec node --jitless "$(command -v ents)" network NEM -m power --last 1d',
    {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
    },
  );
  expect(code).toBe(2);
  expect(stderr.slice(stderr.indexOf("ents: "))).toBe(
    "ents: this Node cannot use WebAssembly, which ents needs (WebAssembly is not defined)\n" +
      "      run ents without --jitless, on a Node that has WebAssembly\n",
  );
});

const DAY = ["network", "NEM", "-m", "power", "-i", "1h", "-s", "2025-01-01", "-e", "2025-01-01", "--sandbox", "-q"];

test("without Intl, it does all that needs no time zone", async () => {
  const home = createHome();
  const preload = home.path("no-intl.cjs");
  writeFileSync(preload, "delete globalThis.Intl;\n");
  const run = (...args: string[]) => home.spawn([...DAY, ...args], { env: { NODE_OPTIONS: `--require=${preload}` } });
  const all = [["-f", "table"], ["-f", "svg"], ["-f", "chart"], ["--summary-only"], ["--time-zone", "+09:30"]];
  for (const args of some(2, all)) {
    expect(await run(...args)).toEqual(await home.spawn([...DAY, ...args]));
  }
  expect(await run("--time-zone", "Australia/Sydney")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^ents: this Node has no time zones, so it does not know "Australia\/Sydney"\n/,
    ) as string,
  });
});

test("Node's own warnings are ents' messages: none with -q, an object with --errors json", async () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0", ENTS_BASE_URL: "https://127.0.0.1:9", ENTS_TOKEN: TOKEN };
  const run = async (...args: string[]) =>
    (await createHome().spawn(["network", "NEM", "-m", "power", "--last", "1d", "--retries", "0", ...args], { env }))
      .stderr;
  expect(await run()).toMatch(/^ents: warning: Node says: .*NODE_TLS_REJECT_UNAUTHORIZED.*\nents: cannot reach/);
  expect(await run("-q")).toMatch(/^ents: cannot reach/);
  const [warning, error] = (await run("--errors", "json"))
    .split("\n")
    .map((line) => line && (JSON.parse(line) as unknown));
  expect([warning, error]).toMatchObject([{ kind: "warning" }, { kind: "unavailable" }]);
});

test("without the program, a package says that it is incomplete, and a clone how to build it", () => {
  const home = createFolder();
  const bin = join(home, "bin", "ents");
  mkdirSync(join(home, "bin"));
  copyFileSync(BIN, bin);
  const ended = runCommand([process.execPath, bin, "--version"], home);
  const incomplete =
    "this package is incomplete: it was packed before it was built; run 'npm run build' before 'npm pack'";
  expect(ended).toEqual({ code: 2, stdout: "", stderr: `ents: ${incomplete}\n` });
  mkdirSync(join(home, "src"));
  const clone = runCommand([process.execPath, bin, "--version"], home);
  expect(clone).toEqual({ code: 2, stdout: "", stderr: `ents: not built yet: run 'npm run build' in ${home}\n` });
});
