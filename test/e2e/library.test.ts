/** The library gives a program what the command prints in a shell. */
import { expect, test } from "vitest";
import {
  buildQuery,
  connect,
  fetchSeries,
  joinTimeSeries,
  printSeries,
  printTable,
  startSandbox,
  toTable,
} from "../../src/index.ts";
import { runEnts } from "../support/run-ents.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const ARGS = "market NEM -m price demand -i 1h -s 2025-01-30 -e 2025-01-31 -r SA1 -f csv --sandbox -q".split(" ");

test.for([48, 5])("the series of two days, in pieces of %i hours", async (amount) => {
  const sandbox = await startSandbox();
  const client = connect({ token: sandbox.token, baseUrl: sandbox.baseUrl, rate: 1000, retries: 0 });
  const input = {
    metrics: ["price", "demand"],
    interval: "1h",
    dateStart: "2025-01-30",
    dateEnd: "2025-01-31",
    networkRegion: ["SA1"],
  };
  const { query } = buildQuery({ command: "market", network: "NEM", input, now: NOW });
  const expected = (await runEnts(ARGS)).stdout;
  const fetchAll = () => fetchSeries(query, { client, maxWindow: { amount, unit: "hours" } });
  const parts = [];
  for await (const part of printSeries(fetchAll(), { format: "csv", metrics: query.metrics }))
    parts.push(Buffer.from(part));
  expect(Buffer.concat(parts).toString("utf8")).toBe(expected);

  const chunks = [];
  for await (const { timeSeries } of fetchAll()) chunks.push(timeSeries);
  await Promise.all([client.close(), sandbox.close()]);
  const table = toTable(joinTimeSeries(chunks), {
    shape: "long",
    metrics: query.metrics,
    printTimestamp: (timestamp) => timestamp,
  });
  let text = "";
  for await (const part of printTable(table, "csv")) text += part;
  expect(text).toBe(expected);
});
