/**
 * Prints how many seconds the default table of a large result takes after its series were fetched.
 * Runs in a new process each time, so that it is as cold as a user's.
 */
import { buildQuery, connect, fetchSeries, printSeries } from "../dist/index.js";

/** The defaults for a terminal of this size. */
const EXCERPT = {
  limit: 40,
  screen: { isTerminal: true, columns: 120, rows: 50, colors: true, colorDepth: 8, unicode: true },
};

const [baseUrl = "", dateStart = "", dateEnd = ""] = process.argv.slice(2);
const metrics = ["price", "demand"];
const input = { metrics, interval: "5m", dateStart, dateEnd, primaryGrouping: "network_region" };
const { query } = buildQuery({ command: "market", network: "NEM", input, now: Date.now() });
const client = connect({ baseUrl, token: process.env["ENTS_TOKEN"] ?? "" });

const chunks = [];
for await (const chunk of fetchSeries(query, { client, maxWindow: "none" })) chunks.push(chunk);
await client.close();

const started = performance.now();
let text = "";
for await (const part of printSeries(replay(chunks), { format: "table", metrics, ...EXCERPT })) text += part;
const seconds = (performance.now() - started) / 1000;
if (!text.includes("40 of ")) throw new Error(`not the table that was expected:\n${text}`);
process.stdout.write(`${seconds}\n`);

async function* replay(all) {
  yield* all;
}
