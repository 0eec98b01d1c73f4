/** The numbers depend on series and time only: not on the day, the process, the time zone or earlier requests. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ask, askRaw, NOW, type Query, startStill } from "./ask.ts";

const run = promisify(execFile);

const QUESTIONS: readonly (readonly [string, Query])[] = [
  [
    "/data/network/NEM",
    {
      metrics: ["power", "market_value"],
      secondary_grouping: "fueltech",
      date_start: "2024-02-01",
      date_end: "2024-02-03",
    },
  ],
  [
    "/data/network/AU",
    {
      metrics: "energy",
      interval: "1M",
      date_start: "2021-02-20",
      date_end: "2021-03-10T23:59:59",
      primary_grouping: "network_region",
    },
  ],
  [
    "/data/facilities/WEM",
    { metrics: ["emissions", "storage_battery"], interval: "1d", date_start: "2025-06-01", date_end: "2025-06-14" },
  ],
  [
    "/market/network/NEM",
    {
      metrics: ["price", "renewable_proportion", "flow_imports"],
      interval: "season",
      date_start: "2019-02-20",
      date_end: "2019-03-10",
    },
  ],
];

test("another day, order, process or time zone gives the same numbers", async () => {
  const today = await startStill();
  const later = await startStill({ now: () => NOW + 400 * 86_400_000 });
  const numbers = [];
  for (const [path, query] of QUESTIONS) numbers.push(await ask(today, path, query));
  const backwards = [];
  for (const [path, query] of QUESTIONS.toReversed()) backwards.unshift(await ask(later, path, query));
  await Promise.all([today.close(), later.close()]);
  expect(backwards).toEqual(numbers);
  expect(await askElsewhere()).toEqual(numbers.map((data) => digest(data)));
});

/** Hashes of all responses, from the built package in a separate process. */
async function askElsewhere(): Promise<unknown> {
  const service = new URL("../../dist/sandbox/sandbox.js", import.meta.url).href;
  const program = `
    import { createHash } from "node:crypto";
    import { startSandbox } from ${JSON.stringify(service)};
    const sandbox = await startSandbox();
    const digests = [];
    for (const [path, query] of ${JSON.stringify(QUESTIONS)}) {
      const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
      const response = await fetch(sandbox.baseUrl + "/v4" + path + "?" + new URLSearchParams(pairs), { headers: { authorization: "Bearer " + sandbox.token } });
      digests.push(createHash("sha256").update(JSON.stringify((await response.json()).data)).digest("hex"));
    }
    await sandbox.close();
    console.log(JSON.stringify(digests));
  `;
  const env = { ...process.env, TZ: "America/St_Johns", LANG: "tr_TR.UTF-8" };
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { env });
  return JSON.parse(stdout);
}

function digest(data: unknown): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("hex");
}

test("simultaneous requests do not disturb each other", async () => {
  const sandbox = await startStill();
  const query = { metrics: "energy", interval: "1d", secondary_grouping: "fueltech" };
  const windows = Array.from({ length: 6 }, (_, i) => ({
    ...query,
    date_start: `201${i}-01-01`,
    date_end: `201${i}-05-01`,
  }));
  const texts = async (window: Query) => (await askRaw(sandbox, "/data/network/NEM", window)).text();
  const together = await Promise.all(windows.map(texts));
  for (const [i, window] of windows.entries()) expect(await texts(window)).toBe(together[i]);
  await sandbox.close();
});

test("the numbers do not change with a release: past exports stay comparable", async () => {
  const sandbox = await startStill();
  const [power] = await ask(sandbox, "/data/network/NEM", {
    metrics: "energy",
    interval: "1y",
    date_start: "2024-01-01",
    date_end: "2024-12-31T23:59:59",
    fueltech: ["wind", "coal_black"],
  });
  const [price] = await ask(sandbox, "/market/network/NEM", {
    metrics: "price",
    date_start: "2024-01-17T12:00",
    date_end: "2024-01-17T12:10",
  });
  await sandbox.close();
  expect(
    [...power!.results, ...price!.results].flatMap((result) => result.data.map(([, value]) => value)),
  ).toMatchInlineSnapshot(`
    [
      88012034.5184,
      16348391.2273,
      -4.93,
      -4.51,
      -3.63,
    ]
  `);
});
