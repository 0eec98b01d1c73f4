/** The metadata of columnar files; lists as columnar files. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describePackage } from "../../src/format/datapackage.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { envelope, HOUR, refusal, TOKEN } from "../e2e/envelopes.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { readBytes, readPackage } from "./readers.ts";
import { ALL_METRICS } from "../../src/base/computed-metrics.ts";
import { DAY } from "../../src/time/local-time.ts";

const WIDE =
  "network NEM -m power energy -i 1h -s 2025-01-01 -e 2025-01-02 --max-window 1d --shape wide --interval-end".split(
    " ",
  );

test("a file names its fields, the requests, the responses and the command", async () => {
  const labels = { region: "NSW1" };
  const items = [
    { series: [{ labels, points: HOUR }] },
    { metric: "energy", unit: "MWh", series: [{ labels, points: HOUR }] },
  ];
  const service = await startService(() => ({ body: envelope(items) }));
  const home = createHome();
  const flags = [...WIDE, "--base-url", service.url, "-o", "x.parquet"];
  const run = () => home.run(flags, { env: { ENTS_TOKEN: TOKEN } });
  expect(await run()).toMatchObject({ code: 0 });
  const path = "/v4/data/network/NEM?metrics=power&metrics=energy&interval=1h";
  expect(readPackage(home.path("x.parquet"))).toEqual({
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    resources: [
      {
        $schema: "https://datapackage.org/profiles/2.0/dataresource.json",
        name: "nem-network-1h",
        type: "table",
        schema: {
          fields: [
            { name: "timestamp", type: "datetime", description: "Start of the interval, as an instant" },
            {
              name: "timestamp_local",
              type: "datetime",
              description: "Start of the interval, as a wall clock in network time",
            },
            { name: "interval_end", type: "datetime", description: "End of the interval, as an instant" },
            { name: "network", type: "string", description: "Network code" },
            {
              name: "region",
              type: "string",
              title: "Region",
              description: "Network region: a price zone, such as NSW1",
            },
            { name: "power", type: "number", unit: "MW", description: "Instantaneous output or consumption" },
            { name: "energy", type: "number", unit: "MWh", description: "Energy over the interval" },
          ],
        },
      },
    ],
    sources: [{ title: "v4 service", path: `${service.url}/` }],
    ents: {
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      command: expect.stringMatching(/^ents network NEM .*--output x\.parquet/) as string,
      endpoint: "network",
      network: "NEM",
      metrics: ["power", "energy"],
      interval: "1h",
      parameters: {},
      window: { start: "2025-01-01T00:00:00", end: "2025-01-02T23:59:59" },
      requests: [
        `${path}&date_start=2025-01-01T00%3A00%3A00&date_end=2025-01-02T00%3A00%3A00`,
        `${path}&date_start=2025-01-02T00%3A00%3A00&date_end=2025-01-02T23%3A59%3A59`,
        // The service sends the same hours for both.
      ].map((one) => ({
        path: one,
        version: "4.5.1",
        created_at: "2025-01-02T00:00:00+00:00",
        rows_from: "2024-12-31T14:00:00Z",
      })),
    },
  });
  const first = readFileSync(home.path("x.parquet"));
  expect(await run()).toMatchObject({ code: 0 });
  expect(readFileSync(home.path("x.parquet")).equals(first)).toBe(true);
  expect(await home.run([...flags.slice(0, -1), "x.arrow"], { env: { ENTS_TOKEN: TOKEN } })).toMatchObject({ code: 0 });
  expect(readPackage(home.path("x.arrow"))).toMatchObject({
    resources: [{ name: "nem-network-1h" }],
    ents: { metrics: ["power", "energy"] },
  });
});

test("only requests whose responses are in the file are named: not one that the service refused as too long", async () => {
  const service = await startService(({ url }) => {
    const { searchParams } = new URL(url, "http://127.0.0.1");
    const [from, to] = ["date_start", "date_end"].map((name) => Date.parse(`${searchParams.get(name)}Z`)) as [
      number,
      number,
    ];
    if (to - from > 10 * DAY) return refusal(400, "Date range too large for 1d interval. Maximum range is 10 days.");
    const days = Array.from({ length: 60 }, (_, day) => Date.UTC(2025, 0, 1 + day)).filter(
      (day) => day >= from && day <= to,
    );
    const points = days.map((day) => [`${new Date(day).toISOString().slice(0, 19)}+10:00`, 1] as const);
    return { body: envelope([{ series: [{ points }] }]) };
  });
  const home = createHome();
  const flags = "network NEM -m power -i 1d -s 2025-01-01 -e 2025-02-20 --rate 1000".split(" ");
  const run = await home.run([...flags, "--base-url", service.url, "-o", "x.parquet"], { env: { ENTS_TOKEN: TOKEN } });
  expect(run.code).toBe(0);
  const { ents } = readPackage(home.path("x.parquet")) as { ents: { requests: readonly { readonly path: string }[] } };
  expect(ents.requests.length).toBeGreaterThan(5);
  expect(ents.requests.map(({ path }) => path)).toEqual(service.requests.slice(1).map(({ url }) => url));
});

test("without a run, a description names only the columns and known facts about the file", () => {
  const columns = [{ name: "metric", type: "text", nullable: true }] as const;
  const file = { path: "metrics.parquet", hash: "sha256:0" };
  expect(
    describePackage({ columns, provenance: undefined, zone: createZone("network"), requests: [], files: [file] }),
  ).toEqual({
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    resources: [
      {
        $schema: "https://datapackage.org/profiles/2.0/dataresource.json",
        name: "data",
        type: "table",
        ...file,
        schema: { fields: [{ name: "metric", type: "string" }] },
      },
    ],
    ents: { requests: [] },
  });
});

test.each(["parquet", "arrow"] as const)("a list is a table of text, as %s", async (format) => {
  const home = createHome();
  expect(await home.run(["metrics", "-f", format, "-o", "list"])).toMatchObject({ code: 0, stderr: "" });
  const { types, rows } = await readBytes(format, readFileSync(home.path("list")));
  expect(types).toEqual({ metric: "text", unit: "text", offered_by: "text", meaning: "text" });
  expect(rows[0]).toEqual(["power", "MW", "network facilities", "Instantaneous output or consumption"]);
  expect(rows).toHaveLength(Object.keys(ALL_METRICS).length);
});

test.each(["parquet", "arrow"])("%s is refused on a terminal", async (format) => {
  const run = await createHome().run(["metrics", "-f", format], { columns: 80 });
  expect(run).toMatchObject({ code: 2, stdout: "" });
});
