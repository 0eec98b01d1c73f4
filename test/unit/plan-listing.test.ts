/** A dry run on a terminal shows the windows, and each address unbroken on a line of its own. */
import { expect, test } from "vitest";
import { ALL_METRICS } from "../../src/base/computed-metrics.ts";
import type { OutputScreen } from "../../src/format/format.ts";
import { listPlan } from "../../src/export/dry-run.ts";
import type { PlannedWindow } from "../../src/plan/plan.ts";
import { runEnts } from "../support/run-ents.ts";
import { TERMINAL } from "./encode.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2025, 0, 1);

function list(windows: readonly PlannedWindow[], options: { limit?: number; screen?: OutputScreen } = {}): string {
  return [
    ...listPlan({ windows }, { address: (path) => `https://v4.example.org${path}`, screen: TERMINAL, ...options }),
  ].join("");
}

function windowOf(index: number, paths: readonly string[]): PlannedWindow {
  const window = { start: START + index * DAY, end: START + (index + 1) * DAY };
  return { window, requests: paths.map((path) => ({ method: "GET", path, points: 2017, endsBy: undefined })) };
}

test("each request with its window, its batch and its address", () => {
  const open: PlannedWindow = {
    window: { start: START, end: undefined },
    requests: [{ method: "GET", path: "/c", points: undefined, endsBy: undefined }],
  };
  expect(list([windowOf(0, ["/a", "/b"]), open]).split("\n")).toEqual([
    "1. 2025-01-01 to 2025-01-02, batch 1 of 2, about 2,017 points",
    "https://v4.example.org/a",
    "",
    "2. 2025-01-01 to 2025-01-02, batch 2 of 2, about 2,017 points",
    "https://v4.example.org/b",
    "",
    "3. from 2025-01-01",
    "https://v4.example.org/c",
    "",
    "",
  ]);
});

test.for([
  [80, 24, undefined, 4],
  [40, 24, undefined, 3],
  [80, 60, undefined, 13],
  [80, 5, undefined, 2],
  [80, 24, 7, 7],
  [80, 24, 0, 46],
  [80, 24, 100, 46],
] as const)("%i columns and %i rows, with --limit %s, hold %i of 46 requests", ([columns, rows, limit, shown]) => {
  const path = `/${"x".repeat(100)}`;
  const windows = Array.from({ length: 46 }, (_, index) => windowOf(index, [path]));
  const text = list(windows, { screen: { ...TERMINAL, columns, rows }, ...(limit === undefined ? {} : { limit }) });
  expect(text.split(`\nhttps://v4.example.org${path}\n`)).toHaveLength(shown + 1);
  expect(/^\.\.\. (\d+) more; --limit 0 shows all$/m.exec(text)?.[1]).toBe(
    shown === 46 ? undefined : String(46 - shown),
  );
  expect(text).toMatch(/^1\. 2025-01-01 to 2025-01-02/);
  expect(text).toContain("\n46. 2025-02-15 to 2025-02-16");
});

test("a terminal gets the list, a pipe or another format the data", async () => {
  const args = ["market", "NEM", "-m", "price", "-i", "5m", "-s", "2025", "-e", "2025", "--dry-run", "-q"];
  const terminal = await runEnts(args, { columns: 80 });
  expect(terminal.stdout).toMatch(/1\. 2025-01-01 to 2025-01-08, about [\d,]+ points/);
  expect(terminal.stdout).toMatch(
    /^https:\/\/\S+date_start=2025-01-01T00%3A00%3A00&date_end=2025-01-08T00%3A00%3A00$/m,
  );
  expect((await runEnts([...args, "-f", "csv"], { columns: 80 })).stdout).toMatch(/^method,url,points\nGET,https/);
  expect((await runEnts([...args, "-f", "table"])).stdout).toMatch(/^method +url +points\n/);
});

test("'ents metrics' is one table with wrapped meanings and complete names", async () => {
  const { stdout } = await runEnts(["metrics", "--limit", "0"], { columns: 80 });
  const [titles, , ...lines] = stdout.split("\n");
  expect(titles).toMatch(/metric +unit +offered_by +meaning/);
  expect(lines.map((line) => line.split(" ")[0]).filter((name = "") => /^[a-z]/.test(name))).toEqual(
    Object.keys(ALL_METRICS),
  );
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toMatch(/^market_value +\$ +network +Total market value\n +facilities$/m);
});

test.each([
  [124, /^pollution +t +Pollutant emissions; not offered by the public service$/m],
  [123, /^pollution +t +Pollutant emissions; not offered by the public\n {70}service$/m],
  [
    60,
    /^metric {6}pollution\nunit {8}t\noffered_by\nmeaning {5}Pollutant emissions; not offered by the public\n {12}service\n\nmetric/m,
  ],
] as const)("and at %i columns, wrapped or as records if necessary", async (columns, shown) => {
  expect((await runEnts(["metrics", "--limit", "0"], { columns })).stdout).toMatch(shown);
});
