/** `ents update`: outputs brought up to date by the commands in their descriptions, one after the other. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { quote } from "../../src/base/phrases.ts";
import { splitWords } from "../../src/cli/stored-command.ts";
import { expectError } from "../e2e/old-file.ts";
import { isDue } from "../support/extent.ts";
import { AS_ROOT, asUser, canBeDenied, NOBODY } from "../support/root.ts";
import type { Run } from "../support/run-ents.ts";
import { TOKEN } from "../e2e/envelopes.ts";
import { createNights, DOWN, type Nights, QUERY, SPENT } from "../update/nights.ts";

/** Outputs of one service, made on day ten; it is day eleven. */
async function createOutputs(...names: readonly string[]): Promise<Nights> {
  const nights = await createNights([], undefined, { first: 0 });
  nights.goTo(10);
  for (const name of names) {
    const run = await nights.run(
      ...QUERY,
      "-o",
      name,
      "--update",
      ...(name.endsWith("/") ? ["--partition", "month", "-f", "csv"] : []),
    );
    expect({ name, code: run.code, stderr: run.stderr }).toMatchObject({ name, code: 0 });
  }
  nights.goTo(11);
  return nights;
}

const listLines = ({ stderr }: Run) => stderr.split("\n").slice(0, -1);
const countRows = ({ read }: Nights, name: string) => read(name).split("\n").length - 2;

test("each output is updated by its own command, with one line each; a folder stands for all in it and below", async () => {
  const nights = await createOutputs("b.csv", "a.csv");
  mkdirSync(nights.home.path("data/old"), { recursive: true });
  for (const name of ["a.csv", "a.csv.ents", "a.csv.datapackage.json"])
    renameSync(nights.home.path(name), nights.home.path(`data/old/${name}`));
  for (const name of ["b.csv", "b.csv.ents", "b.csv.datapackage.json"])
    renameSync(nights.home.path(name), nights.home.path(`data/${name}`));
  const run = await nights.run("update", "data");
  expect(run.code).toBe(0);
  // The one made longest ago is first.
  expect(listLines(run)).toEqual([
    expect.stringMatching(/^ents: data\/b\.csv: 48 values added, .*1 request, up to 2026-01-11T23:00:00\+10:00$/),
    expect.stringMatching(/^ents: data\/old\/a\.csv: 48 values added, /),
  ]);
  expect(countRows(nights, "data/b.csv")).toBe(22 * 24);
  expect((await nights.run("update", "-q", "data")).stderr).toBe("");
});

test("what is no output of --update is exit 2, and the others are updated all the same", async () => {
  const nights = await createOutputs("a.csv", "lost.csv", "set/");
  const { home } = nights;
  rmSync(home.path("lost.csv.datapackage.json"));
  writeFileSync(home.path("foreign.csv"), "x\n");
  writeFileSync(home.path("foreign.csv.datapackage.json"), '{"name":"foreign"}');
  await nights.run(...QUERY, "-e", "2026-01-05", "-o", "once.csv", "--datapackage");
  const run = await nights.run(
    "update",
    "lost.csv",
    "a.csv",
    "missing.csv",
    "foreign.csv",
    "once.csv",
    "set",
    "a.csv.ents",
  );
  expect(run.code).toBe(6);
  expect(listLines(run).filter((line) => !line.startsWith("      "))).toEqual([
    "ents: cannot update lost.csv: its description is missing or damaged, but lost.csv.ents is there",
    "ents: missing.csv does not exist",
    "ents: foreign.csv was not made with --update, or its description is lost",
    "ents: once.csv was not made with --update, or its description is lost",
    expect.stringMatching(/^ents: a\.csv: 48 values added/),
    expect.stringMatching(/^ents: set: 48 values added/),
    "ents: 4 of 6 outputs were not updated",
  ]);
  // The only one says so in its own words.
  expectError(await nights.run("update", "once.csv"), 2, /^ents: once\.csv was not made with --update/);
  expectError(await nights.run("update"), 2, /the output is missing/);
});

test("a pattern that no shell has expanded stands for the outputs that it matches; --list prints their commands alone", async () => {
  const nights = await createOutputs("a.csv", "b.csv");
  writeFileSync(nights.home.path("c.csv"), "");
  const sent = nights.service.requests.length;
  const run = await nights.run("update", "*.csv", "--list");
  expect(run.stdout.split("\n")).toEqual([
    expect.stringMatching(/^ents network NEM --metrics power --interval 1h .*--output a\.csv --update/),
    expect.stringMatching(/--output b\.csv --update/),
    "",
  ]);
  expect(nights.service.requests).toHaveLength(sent);
  expectError(await nights.run("update", "*.tsv"), 2, /\*\.tsv has no output that was made with --update/);
});

test("what is meant once is not in the command that is run again", async () => {
  const nights = await createOutputs("a.csv");
  await nights.run(...QUERY, "-o", "a.csv", "--update", "--recheck", "all", "--overwrite", "--revise", "2d");
  expect((await nights.run("update", "a.csv", "--list")).stdout).toMatch(/--update --revise 2d --rate 1000 --base-url/);
  await nights.run("update", "a.csv", "--recheck", "all", "--history");
  expect((await nights.run("update", "a.csv", "--list")).stdout).toMatch(
    /--update --revise 2d --history --rate 1000 --base-url/,
  );
});

test("50 outputs and a quota that ends after the 20th: exit 3, no more requests, and the next day does the rest first", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `${String(index).padStart(2, "0")}.csv`);
  const nights = await createOutputs(...names);
  const before = nights.service.requests.length;
  nights.fail(SPENT, (request) => request >= 20);
  const run = await nights.run("update", ".");
  expect(run.code).toBe(3);
  // A token that has worked is tried three times.
  expect(nights.service.requests.length - before).toBe(23);
  expect(listLines(run).slice(-4).join("\n")).toMatch(
    /ents: \d\d\.csv: .*\(HTTP 401\) after 3 attempts.*\n.*daily quota is probably spent.*\nents: 30 of 50 outputs were not updated\n +not tried.*: 21\.csv.*others/,
  );
  nights.recover();
  const next = await nights.run("update", ".");
  expect(next.code).toBe(0);
  expect(listLines(next)[0]).toContain(": 48 values added");
  expect(listLines(next).map((line) => line.slice(6, 12))).toEqual([...names.slice(20), ...names.slice(0, 20)]);
});

test("while the service is down, only the first output waits for it", async () => {
  const nights = await createOutputs("a.csv", "b.csv", "c.csv");
  const before = nights.service.requests.length;
  nights.fail(DOWN);
  expect((await nights.run("update", ".")).code).toBe(5);
  expect(nights.service.requests.length - before).toBe(5 + 1 + 1);
});

test("a description whose command is none that fetches data, or that ents does not take, runs nothing", async () => {
  const nights = await createOutputs("a.csv");
  const { home } = nights;
  const description = home.path("a.csv.datapackage.json");
  const own = readFileSync(description, "utf8");
  const before = nights.service.requests.length;
  for (const command of [
    "rm -rf --update .",
    "ents login --update",
    "ents network --help --update",
    "ents network NEM --nonsense --update x",
  ]) {
    writeFileSync(description, own.replace(/"command": ".*"/, `"command": "${command}"`));
    expectError(await nights.run("update", "a.csv"), 2, /^ents: cannot run the command in the description of a\.csv: /);
  }
  expect(nights.service.requests).toHaveLength(before);
});

test.skipIf(!canBeDenied)("a folder that cannot be read is no output: a warning, but none for lost+found", async () => {
  const { home, service } = await createOutputs("a.csv");
  if (AS_ROOT) execFileSync("chown", ["-R", `${NOBODY.uid}:${NOBODY.gid}`, home.folder]);
  const closed = ["lost+found", "private"].map((name) => home.path(name));
  for (const path of closed) mkdirSync(path, { mode: 0 });
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  const { code, stderr } = await home.spawn(["update", "."], { env, ...asUser });
  for (const path of closed) chmodSync(path, 0o700);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(
      /^ents: warning: cannot read private: permission denied\nents: a\.csv: .*\n$/,
    ) as string,
  });
});

test.skipIf(!isDue(AS_ROOT, "root"))(
  "a description of another user is not run, and one in a folder does not keep the others from it (needs root)",
  async () => {
    const nights = await createOutputs("a.csv", "b.csv");
    chownSync(nights.home.path("a.csv.datapackage.json"), NOBODY.uid, NOBODY.gid);
    const run = await nights.run("update", ".");
    expect(run.code).toBe(2);
    expect(listLines(run)).toEqual([
      "ents: a.csv.datapackage.json belongs to another user, so its command is not run",
      "      make it your own, or run ents as that user",
      expect.stringMatching(/^ents: b\.csv: 48 values added/),
      "ents: 1 of 2 outputs was not updated",
    ]);
  },
);

test("any command line is read as it was written, on Windows or elsewhere", () => {
  const words = fc.array(
    fc.string({ minLength: 1, unit: fc.constantFrom("a", " ", "'", '"', "\\", "-", "=", "é", "\n", "$") }),
    {
      minLength: 1,
    },
  );
  const property = fc.property(words, fc.boolean(), (all, isWindows) => {
    expect(splitWords(all.map((word) => quote(word, isWindows)).join(" "))).toEqual(all);
  });
  fc.assert(property);
});
