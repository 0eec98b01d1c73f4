/** The page for assistants: its commands run, and it lands where assistants look for skills. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formatSkill } from "../../src/cli/skill.ts";
import { listBlocks } from "../docs/markdown.ts";
import { FULL } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { HAS_PROC } from "../support/platform.ts";

const run = (args: readonly string[], home = createHome()) => home.run(args, { env: { HOME: home.folder } });

test("the page fits 100 lines and begins as a skill does", async () => {
  const { code, stdout, stderr } = await run(["skill"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(100);
  expect(stdout).toMatch(/^---\nname: ents\ndescription: [^>|].{50,}\n---\n/);
});

test.runIf(FULL)("its commands run as they stand, one after the other", async () => {
  const home = createHome();
  const { stdout: page } = await run(["skill"], home);
  const inline = [...page.matchAll(/`(ents (?:list|metrics|show|log|check|help) [^`<[]*)`/g)].map(
    ([, line = ""]) => line,
  );
  const lines = [...listBlocks(page).flatMap(({ lines: block }) => block), ...inline];
  expect(lines.length).toBeGreaterThan(15);
  for (const line of lines) {
    const isFetching = /^ents (network|facilities|market|list)/.test(line);
    const { code, stderr } = await home.line(isFetching ? `${line} --sandbox` : line);
    expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
  }
});

describe("ents skill install", () => {
  test("writes it for most assistants, and for one that has a folder of its own", async () => {
    const home = createHome();
    const [common, own] = [home.path(".agents/skills/ents/SKILL.md"), home.path(".claude/skills/ents/SKILL.md")];
    expect(await run(["skill", "install"], home)).toMatchObject({
      code: 0,
      stdout: "",
      stderr: `ents: written: ${common}\n`,
    });
    expect(existsSync(own)).toBe(false);
    mkdirSync(home.path(".claude"));
    expect((await run(["skill", "install"], home)).code).toBe(0);
    const { stdout: page } = await run(["skill"], home);
    for (const path of [common, own]) expect(readFileSync(path, "utf8")).toBe(page);
  });

  test("replaces the page of another version, and none that somebody else wrote or edited", async () => {
    const home = createHome();
    const path = home.path("here/ents/SKILL.md");
    const install = () => run(["skill", "install", "--dir", "here"], home);
    await install();
    const page = readFileSync(path, "utf8");
    const other = formatSkill("0.0.9");
    writeFileSync(path, other);
    expect((await install()).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(page);
    for (const text of [page.replace("# ents", "# Ours"), other.replace("NSW1", "NSW"), "---\nname: ents\n---\n", ""]) {
      writeFileSync(path, text);
      expect(await install()).toMatchObject({
        code: 6,
        stderr: `ents: kept ${path}: not as ents wrote it\n      to replace it, delete it first\n`,
      });
      expect(readFileSync(path, "utf8")).toBe(text);
    }
  });

  test("looks where the folder of an assistant is said to be", async () => {
    const home = createHome();
    mkdirSync(home.path("elsewhere"));
    mkdirSync(home.path(".claude"));
    const env = { HOME: home.folder, CLAUDE_CONFIG_DIR: home.path("elsewhere") };
    expect((await home.run(["skill", "install"], { env })).code).toBe(0);
    expect(existsSync(home.path("elsewhere/skills/ents/SKILL.md"))).toBe(true);
    expect(existsSync(home.path(".claude/skills"))).toBe(false);
  });

  test.skipIf(!HAS_PROC)("writes it into a folder, or says why not", async () => {
    const home = createHome();
    expect((await run(["skill", "install", "--dir", "here"], home)).code).toBe(0);
    expect(readFileSync(home.path("here/ents/SKILL.md"), "utf8")).toContain("name: ents");
    expect(await run(["skill", "install", "--dir", "/proc/none"], home)).toMatchObject({
      code: 6,
      stderr: "ents: cannot write /proc/none/ents/SKILL.md: its directory does not exist\n",
    });
    expect((await home.run(["skill", "install"], { env: { HOME: "", USERPROFILE: "" } })).stderr).toContain(
      "there is no home directory",
    );
  });
});
