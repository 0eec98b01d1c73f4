/** The page for assistants: its commands run, and it lands where assistants look for skills. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listBlocks } from "../docs/markdown.ts";
import { FULL } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";

const run = (args: readonly string[], home = createHome()) => home.run(args, { env: { HOME: home.folder } });

test("the page fits 100 lines and begins as a skill does", async () => {
  const { code, stdout, stderr } = await run(["skill"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(100);
  expect(stdout).toMatch(/^---\nname: ents\ndescription: .*\n( {2}.*\n)+---\n/);
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

  test("writes it into a folder, or says why not", async () => {
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
