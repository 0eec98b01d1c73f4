/**
 * What an update does with existing outputs: of this query, of another one, of other programs, and none; and what it
 * requests for them.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { expectError } from "../e2e/old-file.ts";
import { some } from "../support/extent.ts";
import { createNights, createSeries, expectWhole, FILE, type Nights, NO_DATA, QUERY, REGIONS } from "./nights.ts";
import { HAS_LINKS, HAS_SHELL } from "../support/platform.ts";

const DESCRIPTION = `${FILE}.datapackage.json`;
const KEPT = `${FILE}.ents`;

/** A run that must be refused before any request, and change nothing. */
async function expectRefused(nights: Nights, command: readonly string[], says: RegExp): Promise<void> {
  const show = () => [readdirSync(nights.home.folder), nights.read(), nights.service.requests.length];
  const before = show();
  expectError(await nights.run(...command), 2, says);
  expect(show()).toEqual(before);
}

const UPDATE = ["-o", FILE, "--update"];

test("an output that a later version has described in a form of its own is told, and left alone", async () => {
  const nights = await createNights();
  const described = nights.read(DESCRIPTION);
  expect(described).toContain('"form": 1');
  const later = described.replace('"form": 1', '"form": 2').replace(/"version": "[^"]*"/, '"version": "9.1.0"');
  writeFileSync(nights.home.path(DESCRIPTION), later);
  const says =
    /ents 9\.1\.0 has written this output, in a form that this version does not know\n\s+use ents 9\.1\.0 or later/;
  for (const command of [
    [...QUERY, ...UPDATE],
    ["update", FILE],
    ["update", "."],
  ])
    await expectRefused(nights, command, says);
});

const OTHERS: readonly [string, readonly string[], RegExp][] = [
  [
    "another network",
    ["network", "WEM", ...QUERY.slice(2)],
    /power\.csv was written with network NEM; this command has network WEM/,
  ],
  ["another metric", QUERY.with(3, "energy"), /was written with -m power; this command has -m energy/],
  ["another interval", QUERY.with(5, "1d"), /was written with -i 1h; this command has -i 1d/],
  ["another filter", [...QUERY, "-r", "NSW1"], /was written without -r NSW1\n/],
  [
    "a filter for a grouping",
    [...QUERY.slice(0, 8), "-r", "NSW1"],
    /with --group-by region; this command has -r NSW1\n/,
  ],
  ["no grouping", QUERY.slice(0, 8), /was written with --group-by region, which this command lacks\n/],
  [
    "another command",
    ["market", "NEM", "-m", "price", ...QUERY.slice(4)],
    /'ents network' -m power; this command has 'ents market'/,
  ],
  ["the sandbox", [...QUERY, "--sandbox"], /was written without --sandbox\n/],
  ["no interval", [...QUERY.slice(0, 4), ...QUERY.slice(6)], /--update only works with -i/],
  ["no start", [...QUERY.slice(0, 6), ...QUERY.slice(8)], /--update only works with -s/],
];

describe("an output of another command is refused untouched, its responses kept or lost:", () => {
  const created = createNights();

  test.each(OTHERS)("%s", async (_, query, says) => {
    const nights = await created;
    await expectRefused(nights, [...query, ...UPDATE], says);
    renameSync(nights.home.path(KEPT), nights.home.path("away"));
    const { code, stderr } = await nights.run(...query, ...UPDATE);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
    renameSync(nights.home.path("away"), nights.home.path(KEPT));
  });
});

test("a command without --update does not replace what --update keeps current, but for --overwrite; the next update restores it", async () => {
  const nights = await createNights();
  await nights.run(...QUERY, ...UPDATE);
  const before = nights.read();
  for (const query of [QUERY, ["network", "NEM", "-m", "power", "--last", "1d"]])
    await expectRefused(
      nights,
      [...query, "-o", FILE],
      /power\.csv is kept current by --update\n *add --update, .*--overwrite/,
    );
  if (HAS_LINKS) {
    symlinkSync(FILE, nights.home.path("link.csv"));
    await expectRefused(nights, [...QUERY, "-o", "link.csv"], /link\.csv is kept current by --update/);
  }
  for (const list of ["metrics", "list regions"]) {
    const run = await nights.home.run([...list.split(" "), "-o", FILE]);
    expectError(run, 2, /power\.csv is kept current by --update\n *choose another file/);
    expect(nights.read()).toBe(before);
  }
  nights.change({ series: REGIONS.map((one) => ({ ...one, base: 8 })) });
  const kept = readdirSync(nights.home.path(KEPT));
  expect(await nights.run(...QUERY, "-o", "whole.csv", "-q", "--no-header")).toMatchObject({ code: 0 });
  expect(await nights.run(...QUERY, "--no-header", "-o", FILE, "--overwrite", "-q")).toMatchObject({ code: 0 });
  // What an update keeps may be outdated, and is only for updates.
  expect(nights.read()).toEqual(nights.read("whole.csv"));
  expect(readdirSync(nights.home.path(KEPT))).toEqual(kept);
  nights.change({ series: REGIONS });
  expect(nights.read()).not.toEqual(before);
  expect(await nights.run(...QUERY, ...UPDATE)).toMatchObject({ code: 0 });
  expect(nights.read()).toEqual(before);
});

test("another query takes an output with --overwrite", async () => {
  const nights = await createNights();
  const other = [...QUERY, "-r", "NSW1"];
  await nights
    .run(...other, ...UPDATE, "--overwrite")
    .then(({ code, stderr }) => expect([code, stderr]).toEqual([0, expect.any(String)]));
  nights.goTo(12);
  expect(await nights.run(...other, ...UPDATE)).toMatchObject({ code: 0 });
  await nights.run(...other, "-o", "whole.csv");
  expect(nights.read() === nights.read("whole.csv")).toBe(true);
});

test("a file that ents did not write is refused, but for --overwrite", async () => {
  const nights = await createNights([], REGIONS, { first: 0 });
  nights.goTo(10);
  writeFileSync(nights.home.path(FILE), "precious");
  await expectRefused(nights, [...QUERY, ...UPDATE], /power\.csv already exists, .*\n.*--overwrite/);
  for (const text of ["garbage", "{}"]) {
    writeFileSync(nights.home.path(DESCRIPTION), text);
    await expectRefused(nights, [...QUERY, ...UPDATE], /power\.csv/);
  }
  rmSync(nights.home.path(DESCRIPTION));
  await nights.night(10, "--overwrite");
  await expectWhole(nights);
});

test("an output that was edited, cut or deleted is written again, and so is its description", async () => {
  const nights = await createNights();
  const { home } = nights;
  for (const spoil of [
    () => writeFileSync(home.path(FILE), nights.read().slice(0, -17)),
    () => writeFileSync(home.path(FILE), "mine"),
    () => rmSync(home.path(FILE)),
    () => rmSync(home.path(DESCRIPTION)),
    () => writeFileSync(home.path(DESCRIPTION), "garbage"),
    () => [FILE, DESCRIPTION].map((name) => rmSync(home.path(name))),
  ]) {
    spoil();
    // Only the window in progress, those that may still change, and a recheck.
    expect((await nights.night(11)).requests).toBeLessThan(3);
    await expectWhole(nights);
    expect(nights.read(DESCRIPTION)).toContain('"rows": 528');
  }
});

test("answers that are lost are fetched again, with a note; where the service has no data by then, the output stays", async () => {
  const nights = await createNights(["--max-window", "2d"]);
  const before = nights.read();
  rmSync(nights.home.path(KEPT), { recursive: true });
  nights.fail(NO_DATA);
  nights.goTo(11);
  expect((await nights.update()).code).not.toBe(0);
  expect(nights.read()).toBe(before);
  nights.recover();
  rmSync(nights.home.path(KEPT), { recursive: true, force: true });
  const { stderr, requests } = await nights.night(12);
  expect(stderr).toContain("note: stored responses of power.csv are lost; fetching them again takes 6 requests\n");
  expect(requests).toBeLessThan(9);
  await expectWhole(nights);
});

test("answers that are lost, and the service has no longer all: refused, but for --overwrite", async () => {
  const nights = await createNights();
  const lose = () => rmSync(nights.home.path(KEPT), { recursive: true });
  lose();
  nights.change({ series: [createSeries("NSW1"), createSeries("VIC1", [-20, 4])] });
  const before = nights.read();
  const { code, stderr } = await nights.update();
  const says = /power\.csv is unchanged: it has 96 values that are neither stored nor .*\n.*--overwrite/;
  expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  expect(nights.read()).toBe(before);
  lose();
  // A later start removes no rows either.
  expect(await nights.run(...QUERY.with(7, "2026-01-05"), ...UPDATE)).toMatchObject({ code: 2 });
  lose();
  await nights.night(11, "--overwrite");
  await expectWhole(nights);
});

/** Five days each. */
const LOSSES: readonly [what: string, lose: (folder: string, answer: string) => void][] = [
  ["all answers", (folder) => rmSync(folder, { recursive: true })],
  ["an answer", (_, answer) => rmSync(answer)],
  ["half of an answer", (_, answer) => truncateSync(answer, Math.floor(statSync(answer).size / 2))],
];
const LESS = [
  { where: "in the middle", first: "2026-01-12", hole: [11, 14] },
  { where: "at the end of a series", first: "2026-01-22", hole: [20, 3000] },
] as const;

const LOST = LOSSES.flatMap(([what, lose]) => LESS.map((less) => ({ what, lose, ...less })));

test.concurrent.each(some(2, LOST))(
  "$what lost, and the service has less by now $where: the output stays, but for --overwrite",
  async ({ what, lose, where, first, hole }) => {
    const file = what === "an answer" && where === "in the middle" ? "power" : FILE;
    const flags = file === FILE ? [] : ["-f", "csv", "--partition", "month"];
    const nights = await createNights(["--max-window", "5d", ...flags], REGIONS, { first: 40, file });
    const folder = nights.home.path(file === FILE ? KEPT : `${file}/.ents`);
    const name = readdirSync(folder).find((one) => one.startsWith(first)) ?? "";
    const before = await nights.readOwn();
    lose(folder, `${folder}/${name}`);
    nights.change({ series: [createSeries("NSW1"), createSeries("VIC1", hole)] });
    nights.goTo(41);
    const { code, stderr } = await nights.update("--recheck", "0");
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/power.* is unchanged: it has \d+ values that are neither stored nor .*\n.*--overwrite/),
    ]);
    expect(await nights.readOwn()).toBe(before);
    await nights.night(41, "--overwrite");
  },
);

test("a response that the disk has damaged, its size and time unchanged, is fetched again once, and kept", async () => {
  const nights = await createNights(["--max-window", "3d"], REGIONS, { first: 30, query: QUERY.slice(0, -1) });
  const night = () => nights.night(30, "--recheck", "0");
  const { requests: usual } = await night();
  const path = nights.home.path(
    `${KEPT}/${readdirSync(nights.home.path(KEPT)).find((name) => name.endsWith(".json.gz"))}`,
  );
  const { atime, mtime } = statSync(path);
  const content = readFileSync(path);
  writeFileSync(path, content.fill(0, content.length - 40, content.length - 36));
  utimesSync(path, atime, mtime);
  const { requests, stderr } = await night();
  expect([requests, stderr]).toEqual([usual + 1, expect.stringContaining(`${usual + 1} requests`)]);
  expect((await night()).requests).toBe(usual);
  await expectWhole(nights);
});

test("an earlier start fetches only what is missing; a later one is that of the output", async () => {
  const nights = await createNights(["--max-window", "5d"], REGIONS, { first: 60 });
  const { requests } = await nights.night(60, "--recheck", "0");
  const move = async (start: string, ...more: string[]) => {
    const before = nights.service.requests.length;
    const { code, stderr } = await nights.run(...QUERY.with(7, start), ...UPDATE, "--max-window", "5d", ...more);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return nights.service.requests.length - before;
  };
  expect(await move("2025-12-24T07:30", "--recheck", "0")).toBeLessThanOrEqual(requests + 3);
  await nights.run(...QUERY.with(7, "2025-12-24T07:30"), "-o", "whole.csv", "--max-window", "none");
  expect(nights.read() === nights.read("whole.csv")).toBe(true);
  // A start that moves with the clock removes no rows.
  expect(await move("-30d", "--recheck", "0")).toBeLessThanOrEqual(requests);
  expect(nights.read() === nights.read("whole.csv")).toBe(true);
  await move("2025-12-24T07:30", "--recheck", "all");
  expect(nights.read() === nights.read("whole.csv")).toBe(true);
});

function countValues({ read }: Nights): number {
  return read().match(/,[\d.]+$/gm)?.length ?? 0;
}

test("an end closes the window, and may be another one each time", async () => {
  const nights = await createNights(["--max-window", "4d"], REGIONS, { first: 20, query: QUERY.slice(0, -1) });
  for (const [days, ...end] of [
    [20, "-e", "2026-01-13"],
    [20.6, "-e", "yesterday"],
    [21.3, "-e", "2026-01-18T05:59:59"],
    [22.7, "-e", "yesterday"],
    [23, "--complete"],
  ] as const) {
    const before = countValues(nights);
    const { requests, stderr } = await nights.night(days, ...end);
    expect(requests).toBeLessThan(7);
    await expectWhole(nights, ...end);
    expect(stderr).toContain(`: ${Math.max(0, countValues(nights) - before)} values added, 0 restated, 0 withdrawn,`);
    expect((await nights.night(days, ...end)).stderr).toContain(": 0 values added, 0 restated, 0 withdrawn,");
  }
});

test("other limits, and an interval that the window divides, cost nothing", async () => {
  const nights = await createNights([], REGIONS, { first: 90, query: QUERY.slice(0, -1) });
  await nights.night(90.3, "--recheck", "0");
  // The last window, of at most a month, is due.
  for (const [window, most] of [
    // It is halved until it fits.
    ["3d", 17],
    ["10d", 5],
    ["none", 5],
  ] as const) {
    expect((await nights.night(90.3, "--recheck", "0", "--max-window", window)).requests).toBeLessThanOrEqual(most);
    await expectWhole(nights);
  }
});

test("--dry-run names what is missing, what is rechecked and how many responses are at hand, and touches nothing", async () => {
  const nights = await createNights(["--max-window", "1d"], REGIONS, { first: 40 });
  nights.goTo(41);
  const show = () => [nights.read(), readdirSync(nights.home.path(KEPT)), nights.service.requests.length];
  const before = show();
  const { code, stdout, stderr } = await nights.update("--dry-run", "-f", "csv");
  expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, 1 + 1 + 8]);
  expect(stderr).toMatch(
    /32 responses are already stored; 9 requests, up to 1 more, 1 missing, 7 open, 1 recheck, about .*nothing was sent/,
  );
  expect(show()).toEqual(before);
  const sent = nights.service.requests.length;
  await nights.update();
  expect(
    nights.service.requests
      .slice(sent)
      .map(({ url }) => url)
      .sort(),
  ).toEqual(stdout.match(/(?<=127\.0\.0\.1:\d+)\/[^,"]*/g)?.sort());
});

test.skipIf(!HAS_LINKS)(
  "what a link names is updated; another name of the file keeps the old one, as with any export",
  async () => {
    const nights = await createNights();
    const { home } = nights;
    renameSync(home.path(FILE), home.path("real.csv"));
    symlinkSync("real.csv", home.path(FILE));
    linkSync(home.path("real.csv"), home.path("second.csv"));
    const before = nights.read();
    await nights.night(11);
    expect(lstatSync(home.path(FILE)).isSymbolicLink()).toBe(true);
    expect(nights.read("real.csv")).toBe(await nights.readWhole());
    expect(nights.read("second.csv")).toBe(before);
  },
);

test.skipIf(!HAS_SHELL)("outputs that are no files are refused, with what to use", async () => {
  const nights = await createNights();
  execFileSync("mkfifo", [nights.home.path("fifo.csv")]);
  for (const flags of [
    ["-o", "-"],
    ["-o", "fifo.csv"],
    ["-o", "/dev/null", "-f", "csv"],
  ])
    await expectRefused(nights, [...QUERY, ...flags, "--update"], /needs a regular file|only works with -o/);
  expect(existsSync(nights.home.path("x.json"))).toBe(false);
});

test("codes that have come since are batches of their own, and cost no old one again", async () => {
  const units = ["A1", "A2", "B1"].map((unit_code) => ({ ...createSeries("NSW1"), labels: { unit_code } }));
  const query = "facilities NEM -m power -i 1h -s 2026-01-01 --complete --max-window 4d --recheck 0".split(" ");
  const nights = await createNights(["--unit-code", "A1", "A2"], units, { query, first: 30 });
  const { requests } = await nights.night(30);
  const update = async (...codes: string[]) => {
    const before = nights.service.requests.length;
    expect(await nights.run(...query, ...UPDATE, "--unit-code", ...codes)).toMatchObject({ code: 0 });
    return nights.service.requests
      .slice(before)
      .map(({ url }) => new URL(url, "http://x").searchParams.getAll("unit_code").join());
  };
  const sent = await update("A1", "A2", "B1");
  expect(sent.filter((codes) => codes === "A1,A2")).toHaveLength(requests);
  expect(sent.filter((codes) => codes === "B1").length).toBeGreaterThan(7);
  const all = nights.read();
  expect(all).toContain(",B1,");
  const fewer = await nights.run(...query, ...UPDATE, "--unit-code", "B1");
  expectError(fewer, 2, /power\.csv also has A1 and A2, which this command lacks\n.*--overwrite/);
  expect(nights.read()).toBe(all);
});
