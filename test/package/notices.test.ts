/** The bundle includes the licences of the packages whose code it contains. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./process.ts";

const COMMAND = join(ROOT, "dist", "command");
const RULE = `\n${"-".repeat(80)}\n\n`;

const [, ...notices] = readFileSync(join(ROOT, "dist", "THIRD-PARTY-NOTICES"), "utf8").split(RULE);

/** The packages in the source maps of the chunks: `name version`. */
function listBundled(): string[] {
  const maps = readdirSync(COMMAND).filter((name) => name.endsWith(".map"));
  const sources = maps.flatMap(
    (name) => (JSON.parse(readFileSync(join(COMMAND, name), "utf8")) as { sources: string[] }).sources,
  );
  const folders = sources
    .map((source) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(source)?.[0])
    .filter((folder) => folder !== undefined);
  return [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(COMMAND, folder, "package.json"), "utf8")) as Record<
      string,
      string
    >;
    return `${name} ${version}`;
  });
}

test("every package in the bundle is named, and no other", () => {
  const named = notices.map((notice) => notice.slice(0, notice.indexOf("\n")));
  expect(named).toEqual(expect.arrayContaining(["undici 7.30.2", "zod 4.6.7"]));
  expect(named.toSorted()).toEqual(listBundled().toSorted());
});

test("each has its licence, in full", () => {
  for (const notice of notices) {
    const [, licence, , ...text] = notice.split("\n");
    expect(licence).toMatch(/^Licence: [\w.-]+/);
    expect(text.join(" ")).toMatch(/permission|redistribution/i);
    expect(text.join(" ")).toMatch(/copyright/i);
  }
});
