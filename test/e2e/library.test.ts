/** What the library hands over in a program is what the command prints in a shell. */
import { expect, test } from "vitest";
import {
  buildQuery,
  connect,
  createStampPrinter,
  fetchSeries,
  joinTimeSeries,
  printTable,
  startSandbox,
  toLongTable,
} from "../../src/index.ts";
import { runEnts } from "../support/run-ents.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const ARGS = "market NEM -m price demand -i 1h -s 2025-01-30 -e 2025-01-31 -r SA1 -f csv --sandbox -q".split(" ");

test.for([48, 5])("the series of two days, in pieces of %i hours", async (amount) => {
  const sandbox = await startSandbox();
  const client = connect({ token: sandbox.token, baseUrl: sandbox.baseUrl, rate: 1000, retries: 0 });
  const input = { metrics: ["price", "demand"], interval: "1h", dateStart: "2025-01-30", dateEnd: "2025-01-31", networkRegion: "SA1" };
  const { query } = buildQuery({ command: "market", network: "NEM", input, now: NOW });
  const pieces = [];
  for await (const piece of fetchSeries(query, { client, maxWindow: { amount, unit: "hours" } })) pieces.push(piece);
  await Promise.all([client.close(), sandbox.close()]);
  const table = toLongTable(joinTimeSeries(pieces), { metrics: query.metrics, printStamp: createStampPrinter("network") });
  let text = "";
  for await (const part of printTable(table, "csv")) text += part;
  expect(text).toBe((await runEnts(ARGS)).stdout);
});
