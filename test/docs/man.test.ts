/** docs/ents.1, the manual page, renders without a warning. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isDue } from "../support/extent.ts";
import { EXAMPLES } from "./examples.ts";
import { readPage, ROOT } from "./markdown.ts";

const PATH = "docs/ents.1";
const SOURCE = readPage(PATH);
const SECTIONS = [
  "NAME",
  "SYNOPSIS",
  "DESCRIPTION",
  "COMMANDS",
  "VALUES",
  "FORMATS",
  "FILES",
  "ENVIRONMENT",
  "EXIT STATUS",
  "EXAMPLES",
];

/** The text of the source, without fonts. */
function readRoff(source: string): string {
  const characters: Readonly<Record<string, string>> = { "(aq": "'", "(ti": "~", "(ha": "^", "(ga": "`", "|": "" };
  return source.replaceAll(/\\f[BIRP]/g, "").replaceAll(/\\(\(..|.)/g, (_, name: string) => characters[name] ?? name);
}

const PAGE = readRoff(SOURCE);

test("has the sections of a command's page, in their order", () => {
  expect([...SOURCE.matchAll(/^\.SH "?([A-Z ]+)"?$/gm)].map(([, name]) => name)).toEqual([...SECTIONS, "SEE ALSO"]);
  const { version, man } = JSON.parse(readPage("package.json")) as { readonly version: string; readonly man: unknown };
  expect(SOURCE).toMatch(new RegExp(`^\\.TH "ENTS" "1" "\\d{4}-\\d\\d-\\d\\d" "ents ${version}"`, "m"));
  // If `man` in package.json is a string, npm does not link the page.
  expect(man).toEqual([PATH]);
});

test("has every flag of the reference", () => {
  const flags = new Set(readPage("docs/reference.md").match(/(?<=^\| `.*)--[a-z][a-z-]+/gm));
  expect(flags.size).toBeGreaterThan(50);
  expect(
    [...flags].filter(
      (flag) => !PAGE.includes(`${flag} `) && !PAGE.includes(`${flag}:\n`) && !PAGE.includes(`${flag}\n`),
    ),
  ).toEqual([]);
});

test("has only characters that shells accept in what may be copied", () => {
  expect(SOURCE).toMatch(/^[\n -~]+$/);
  // In roff, these plain characters are printed as typographic ones.
  expect(SOURCE.replaceAll(/^\..*$/gm, "").match(/(?<!\\)-.*|['^~`].*/)).toBeNull();
});

describe("at 80 columns", () => {
  const render = (program: string, args: readonly string[]) => {
    const env = { ...process.env, MANWIDTH: "80", LC_ALL: "C.UTF-8" };
    const { status, stdout, stderr } = spawnSync(program, [...args, PATH], { cwd: ROOT, encoding: "utf8", env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  };

  test.runIf(isDue(existsSync("/usr/bin/mandoc")))("mandoc finds nothing to warn of", () => {
    expect(render("mandoc", ["-T", "lint", "-W", "warning"])).toBe("");
  });

  test.runIf(isDue(existsSync("/usr/bin/man")))("man renders it without a warning, in complete lines", () => {
    const shown = render("man", ["--warnings", "-E", "UTF-8", "-l"]);
    expect(shown.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(shown).toContain("-m, --metrics <metric...>:\n          metrics to fetch (required; see 'ents metrics')\n");
  });
});

test("has the examples of all commands (command-examples.test.ts), unchanged by roff", () => {
  const shown = SOURCE.slice(SOURCE.indexOf(".SH EXAMPLES"), SOURCE.indexOf(".SH SEE ALSO"));
  const examples = [...shown.matchAll(/^\.nf\n([^]*?)\n\.fi$/gm)].map(([, text = ""]) =>
    readRoff(text).replaceAll(/ \\\n +/g, " "),
  );
  expect(examples).toEqual(expect.arrayContaining(EXAMPLES));
});
