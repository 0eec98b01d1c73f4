/** The records of ents beside outputs: those that are lost are told, and nothing writes over them. */
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expectError } from "../e2e/old-file.ts";
import { toPattern } from "../../src/export/update/find-outputs.ts";
import { runEnts } from "../support/run-ents.ts";
import { createNights, FILE, type Nights, QUERY } from "./nights.ts";

const DESCRIPTION = `${FILE}.datapackage.json`;

async function createSet(nights: Nights): Promise<void> {
  expect(await nights.run(...QUERY, "-o", "set", "--partition", "month", "-f", "csv", "--update")).toMatchObject({
    code: 0,
  });
}

test("an output whose description is cut or deleted is told by 'ents update', also in a folder: exit 6, and the command to run", async () => {
  const nights = await createNights();
  await createSet(nights);
  const { home } = nights;
  truncateSync(home.path(DESCRIPTION), 50);
  rmSync(home.path("set/_datapackage.json"));
  // A download that was interrupted is no output yet.
  mkdirSync(home.path("other.csv.ents"));
  for (const words of [["."], [FILE, "set"], ["power*", "set"], ["."], ["*"]]) {
    const { code, stderr } = await nights.run("update", ...words);
    expect({ words, code }).toEqual({ words, code: 6 });
    expect(stderr).toMatch(
      /^ents: cannot update power\.csv: its description is missing or damaged, but power\.csv\.ents is there\n {6}to write it again, run:\n {6}ents network NEM .* --output power\.csv --update .*\nents: cannot update set: .* but set[\\/]\.ents is there\n[^]*\nents: 2 of 2 outputs were not updated\n$/,
    );
  }
  rmSync(home.path(DESCRIPTION));
  rmSync(home.path(FILE));
  expectError(await nights.run("update", "*.csv"), 6, /^ents: cannot update power\.csv: its description is missing/);
  writeFileSync(`${nights.kept}/journal.ndjson`, "cut");
  expectError(await nights.run("update", FILE), 6, /is there\n +run the command that made it again\n$/);
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});

test("a pattern of Windows has slashes", () => {
  expect(toPattern("data\\*.csv", "\\")).toBe("data/*.csv");
  expect(toPattern("data/[*].csv")).toBe("data/[*].csv");
});

test("nothing writes over what ents keeps of an output: exit 2, before any request", async () => {
  const nights = await createNights();
  await createSet(nights);
  const { home, service } = nights;
  const list = () =>
    readdirSync(home.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const show = () => [
    list().map(({ parentPath, name }) => [name, readFileSync(`${parentPath}/${name}`, "latin1")]),
    service.requests.length,
  ];
  const before = show();
  const outputs = [
    `${FILE}.ents/journal.ndjson`,
    `${FILE}.ents/lock`,
    DESCRIPTION,
    "set/_datapackage.json",
    "set/.ents/new.csv",
  ];
  const commands = [
    QUERY,
    ["metrics"],
    ["list", "regions"],
    ["show", FILE],
    ["log", FILE],
    ["check", FILE],
    [...QUERY, "--update"],
    [...QUERY, "--dry-run"],
  ];
  for (const output of outputs)
    for (const command of commands)
      expectError(
        await nights.run(...command, "-f", "csv", "-o", output),
        2,
        / is where ents keeps its own records of an output\n/,
      );
  expectError(
    await nights.run(...QUERY, "-f", "csv", "-o", `${FILE}.ents`, "--partition", "month"),
    2,
    /keeps its own records/,
  );
  expect(show()).toEqual(before);
});

test.each(["~/x", "~", "$HOME/x", "${HOME}/x", "%USERPROFILE%\\x"])(
  "%s as a folder: exit 2, as nothing has replaced its start",
  async (folder) => {
    for (const [args, env, of] of [
      [["config", "list"], { ENTS_CONFIG_DIR: folder }, "ENTS_CONFIG_DIR"],
      [["cache", "info"], { ENTS_CACHE_DIR: folder }, "ENTS_CACHE_DIR"],
      [["skill", "install", "--dir", folder], {}, "--dir"],
      [["mcp", "--folder", folder], {}, "--folder"],
    ] as const) {
      const { code, stderr } = await runEnts(args, { env });
      expect({ of, code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`ents: ${of} is ${folder}, and nothing has replaced `) as string,
      });
    }
  },
);
