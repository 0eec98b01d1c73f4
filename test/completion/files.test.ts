/** File names after -o, `@` and `>`, without a shell to expand them. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";
import { answer, tab } from "./tab.ts";

const home = createHome();
mkdirSync(home.path("data/2025"), { recursive: true });
for (const name of ["codes.txt", "my file.csv", ".hidden", "data/a.csv", "data/2025/b.csv", "bad\nname", "~x"])
  writeFileSync(home.path(name), "");
symlinkSync("data", home.path("link"));
symlinkSync("nowhere", home.path("broken"));
symlinkSync("loop", home.path("loop"));
const place = { cwd: home.folder, env: { HOME: home.path("data") } };
const HERE = ["broken", "codes.txt", "data/", "link/", "loop", "my file.csv", "~x"];

test.each<[line: string, offered: readonly string[]]>([
  ["ents network NEM -o ", HERE],
  ["ents network NEM -o .", [".hidden"]],
  ["ents network NEM -oc", ["-ocodes.txt"]],
  ["ents network NEM --output=data/", ["--output=data/2025/", "--output=data/a.csv"]],
  ["ents network NEM -o ./data/2", ["./data/2025/"]],
  ["ents network NEM -o link/a", ["link/a.csv"]],
  ["ents network NEM -o nowhere/", []],
  ["ents network NEM -o codes.txt/", []],
  ["ents network NEM --fueltech @", HERE.map((name) => `@${name}`)],
  ["ents network NEM --fueltech=@data/a", ["--fueltech=@data/a.csv"]],
  ["ents network NEM -m power @c", ["@codes.txt"]],
  ["ents network NEM -i @", []],
  // The home directory is expanded only where a shell would expand it.
  ["ents network NEM -o ~/", ["~/2025/", "~/a.csv"]],
  ["ents network NEM -o ~root/", []],
  ["ents network NEM --output=~/", []],
  ["ents network NEM --fueltech @~/", []],
])("%s", async (line, offered) => {
  expect(await tab(line, place)).toEqual(offered);
});

test("of show, log and update: outputs of updates before other files, each once", async () => {
  const kept = createHome();
  for (const name of ["price.csv.ents", "demand.csv.ents", "sub"]) mkdirSync(kept.path(name));
  for (const name of ["price.csv", "price.csv.datapackage.json", "demand.csv", "notes.txt", "sub/x.csv"])
    writeFileSync(kept.path(name), "");
  const where = { cwd: kept.folder, env: {} };
  expect(await tab("ents show ", where)).toEqual(["demand.csv", "price.csv", "sub/"]);
  expect(await tab("ents log p", where)).toEqual(["price.csv"]);
  expect(await tab("ents update price.csv ", where)).toEqual(["demand.csv", "sub/"]);
  expect(await tab("ents show sub/", where)).toEqual(["sub/x.csv"]);
});

describe("what the shell would expand is ignored", () => {
  const odd = createHome();
  for (const name of ["$HOME", "$(ls)", "`ls`", "<(ls)"]) {
    mkdirSync(odd.path(name));
    writeFileSync(odd.path(`${name}/inside.csv`), "");
  }

  /** For the first kind, folders with exactly these names exist. */
  test.each([
    ...["$HOME/", '"$HOME/', "$(ls)/", "`ls`/", "<(ls)/"].map((word) => ({
      word,
      where: { ...place, cwd: odd.folder },
    })),
    ...["da*/", "{data,x}/", "'~/", '"~/', "\\~/"].map((word) => ({ word, where: place })),
  ])("$word", async ({ word, where }) => {
    for (const shell of ["bash", "fish"]) {
      const args =
        shell === "bash" ? [word.replace(/^['"]/, ""), `ents network NEM -o ${word}`] : [word, "network", "NEM", "-o"];
      expect(await answer([shell, ...args], where)).toEqual([]);
    }
  });
});

test("in bash, after redirections: > and 2>", async () => {
  for (const redirection of [">", ">>", "2> ", "> data/../", "<"]) {
    const word = /\S*$/.exec(redirection.replace(/[<>]/g, ""))?.[0] ?? "";
    expect(await answer(["bash", `${word}co`, `ents network NEM ${redirection}co`], place)).toEqual([
      `${word}codes.txt`,
    ]);
  }
  expect(await answer(["bash", "", "ents network > codes.txt "], place)).toEqual(["NEM", "WEM", "AU"]);
});
