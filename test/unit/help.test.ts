/** Help fits an 80-column terminal, and short help has the usual flags. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadCommands } from "../../src/cli/explain.ts";
import { COMMANDS } from "../../src/commands/all.ts";
import { flagOf } from "../../src/options/spec.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { tab } from "../completion/tab.ts";

const root = mkdtempSync(join(tmpdir(), "ents-help-"));
afterAll(() => rmSync(root, { recursive: true }));

const names = ["ents", ...(await loadCommands(COMMANDS)).map(({ name }) => name)];

test.each(names)(
  "%s --help fits 80 columns, on a terminal of 80 or of an unknown width and in a pipe, and 100",
  async (name) => {
    for (const columns of [undefined, 0, 80, 100]) {
      const options = columns === undefined ? {} : { columns };
      const { code, stdout } = await runInProcess(
        [...name.split(" ").slice(1), "--help"],
        { cwd: root, env: {} },
        options,
      );
      expect(code).toBe(0);
      expect(stdout.split("\n").length).toBeGreaterThan(8);
      expect(stdout.split("\n").filter((line) => line.length > (columns || 80))).toEqual([]);
      const [examples = ""] = /^Examples:\n[^]*?\n\n/m.exec(stdout) ?? [];
      expect(examples.split("\n").filter((line) => line !== "" && !/^Examples:$|^ {2}\S/.test(line))).toEqual([]);
    }
  },
);

const LONG = ["network", "facilities", "market", "show"];

test.each(LONG)("%s -h fits a terminal of 80x30: three examples, and one line for each usual flag", async (name) => {
  const { code, stdout } = await runInProcess([name, "-h"], { cwd: root, env: {} }, { columns: 80 });
  const lines = stdout.trimEnd().split("\n");
  expect(code).toBe(0);
  expect(lines.length).toBeLessThanOrEqual(30);
  const [above = "", below = ""] = stdout.split("\nFlags:\n");
  expect(above.match(/^ {2}ents /gm)).toHaveLength(3);
  const [flags = "", end] = below.split("\n\n");
  for (const line of flags.split("\n")) expect(line).toMatch(/^ {2}-.{1,77}$/);
  expect(end).toBe(`'ents ${name} --help' shows all flags\n`);
});

test("ents -h fits it too, and equals the output of plain ents; environment and exit codes are in --help", async () => {
  const print = async (...words: string[]) =>
    (await runInProcess(words, { cwd: root, env: {} }, { columns: 80 })).stdout;
  const brief = await print("-h");
  expect(brief.trimEnd().split("\n").length).toBeLessThanOrEqual(33);
  expect(brief).not.toMatch(/Environment:|Exit codes:/);
  expect(await print()).toBe(brief);
  expect(await print("--help")).toMatch(/Environment:[^]*Exit codes:/);
});

test.each(names.filter((name) => !["ents", ...LONG.map((long) => `ents ${long}`)].includes(name)))(
  "%s -h equals its --help",
  async (name) => {
    const [short, long] = await Promise.all(
      ["-h", "--help"].map((flag) =>
        runInProcess([...name.split(" ").slice(1), flag], { cwd: root, env: {} }, { columns: 80 }),
      ),
    );
    expect(short).toEqual(long);
  },
);

test("help omits what only programs need; the reference, the manual page and TAB have it", async () => {
  const network = (await loadCommands(COMMANDS)).find(({ name }) => name === "ents network");
  const flags = Object.entries(network?.table ?? {}).flatMap(([key, spec]) =>
    spec.forPrograms ? [flagOf(key, spec)] : [],
  );
  expect(flags).toEqual([
    "--primary-grouping",
    "--secondary-grouping",
    "--allow-unknown",
    "--concurrency",
    "--max-body",
  ]);
  const help = (await runInProcess(["network", "--help"], { cwd: root, env: {} })).stdout;
  const [reference] = readDoc("reference.md").split("## Help texts");
  const page = readDoc("ents.1").replaceAll("\\-", "-");
  for (const flag of flags) {
    expect(help).not.toContain(`\n  ${flag}`);
    expect(reference).toContain(`\n| \`${flag}`);
    expect(page).toContain(flag);
    expect(await tab(`ents network NEM ${flag}`)).toContain(flag);
  }
});

const readDoc = (name: string) => readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");
