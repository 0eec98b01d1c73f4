/** The build of a clean checkout, separate from the one that other tests use. */
import { cpSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { FULL } from "../support/extent.ts";
import { nodes } from "./nodes.ts";
import { createFolder, ROOT, runAs, runCommand } from "./process.ts";

const NEEDED = [
  "bin",
  "scripts",
  "src",
  "package.json",
  "rolldown.config.mjs",
  "tsconfig.json",
  "tsconfig.src.json",
  "tsconfig.build.json",
];
interface Manifest {
  readonly engines: { readonly node: string };
  readonly devEngines: { readonly runtime: { readonly version: string } };
}

/** These can run ents, but not build it. */
const OLD = /^v20[.]18[.]/;

test.runIf(FULL).each(nodes.filter(([version]) => !OLD.test(version)))(
  "on Node %s it is silent, and its output runs; a type error fails it",
  (_version, node) => {
    const checkout = createFolder();
    for (const name of NEEDED) cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"), "dir");
    const env = { PATH: [dirname(node), process.env["PATH"]].join(delimiter) };
    expect(runCommand(["npm", "run", "--silent", "build"], checkout, env)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(existsSync(join(checkout, "dist", "THIRD-PARTY-NOTICES"))).toBe(true);
    expect(runCommand([node, join(checkout, "bin", "ents"), "metrics", "--help"], checkout).code).toBe(0);
    // An error in the command only; the library does not import it.
    writeFileSync(join(checkout, "src/main/wrong.ts"), 'export const count: number = "one";\n');
    const { code, stdout } = runCommand(["npm", "run", "--silent", "build"], checkout, env);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^src\/main\/wrong\.ts\(1,14\): error/) as string,
    });
  },
);

test.each(["20.18.1", "22.11.0"])("on Node %s it says which one it needs", (version) => {
  const { code, stdout, stderr } = runAs(version, [join(ROOT, "scripts", "check-node.mjs")]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(`ents: to build, use Node 20.19, 22.12 or later; this is v${version} (once installed,`);
  expect(stderr.split("\n")).toHaveLength(2);
});

test.each(["20.19.0", "22.12.0", "26.0.0"])("it starts on Node %s", (version) => {
  expect(runAs(version, [join(ROOT, "scripts", "check-node.mjs")])).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("README names the Node that builds; CONTRIBUTING also the one that runs, and the first of Node 22", () => {
  const { engines, devEngines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  const named = (range: string) => range.match(/\d+[.]\d+([.][1-9]\d*)?/g) ?? [];
  const [readme = "", contributing = ""] = ["README.md", "CONTRIBUTING.md"].map((page) =>
    readFileSync(join(ROOT, page), "utf8"),
  );
  const builds = named(devEngines.runtime.version);
  expect(builds).toHaveLength(2);
  expect(readme).toContain(`Node ${builds[0]} or later`);
  for (const release of [...named(engines.node), ...builds]) expect(contributing).toContain(release);
});

test("the entry point loads one small chunk before it knows what is asked for", () => {
  const folder = join(ROOT, "dist/command");
  const [atOnce = ""] = readFileSync(join(folder, "start.cjs"), "utf8").split("function ");
  const [first = "", ...others] = Array.from(atOnce.matchAll(/require\("([^"]+)"\)/g), ([, name]) => name);
  expect(others).toEqual(["node:fs", "node:path"]);
  expect(statSync(join(folder, first)).size).toBeLessThan(8000);
});
