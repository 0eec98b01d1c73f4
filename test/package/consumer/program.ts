/** A program that uses ents as its users do: `import … from "ents"`, compiled strictly, run on plain Node. */
import {
  buildQuery,
  type Client,
  connect,
  createStampPrinter,
  EntsError,
  type ErrorKind,
  fetchSeries,
  listRequests,
  type Plan,
  planQuery,
  printTable,
  type Query,
  type QueryInput,
  type Sandbox,
  startSandbox,
  type Table,
  type TimeSeries,
  toLongTable,
  toWideTable,
} from "ents";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const WINDOW: QueryInput = {
  metrics: ["price", "demand"],
  interval: "1h",
  dateStart: "2025-01-30T00:00",
  dateEnd: "2025-01-31T23:59:59",
  networkRegion: "SA1",
};

const sandbox: Sandbox = await startSandbox();
const client: Client = connect({ token: sandbox.token, baseUrl: sandbox.baseUrl, rate: 100, retries: 0 });
try {
  const query = ask(WINDOW);
  checkPlan(query);
  const whole = await fetchCsv(query, client);
  const lines = whole.trimEnd().split("\n");
  expectSame(lines[0], "timestamp,network,region,price,demand");
  expectSame(lines.length, 1 + 48);
  expectSame(await fetchCsv(query, client, 7), whole);
  await checkRefusals(sandbox);
} finally {
  await client.close();
  await sandbox.close();
}
console.log("consumed");

function ask(input: QueryInput): Query {
  const { query, warnings } = buildQuery({ command: "market", network: "NEM", input, now: NOW });
  expectSame(warnings.length, 0);
  return query;
}

/** A plan is a value: two days in pieces of seven hours are seven requests, and none is made. */
function checkPlan(query: Query): void {
  const plan: Plan = planQuery(query, { now: NOW, maxWindow: { amount: 7, unit: "hours" } });
  const paths = listRequests(plan).map(({ path }) => path);
  expectSame(paths.length, 7);
  expectSame(
    paths.every((path) => path.startsWith("/v4/market/network/NEM?metrics=price&metrics=demand&interval=1h&date_start=")),
    true,
  );
}

/** The same rows, however many requests they come in. */
async function fetchCsv(query: Query, from: Client, hours?: number): Promise<string> {
  const printStamp = createStampPrinter("utc");
  const pieces = fetchSeries(query, { client: from, ...(hours === undefined ? {} : { maxWindow: { amount: hours, unit: "hours" } }) });
  let text = "";
  for await (const timeSeries of pieces) {
    if (countPoints(timeSeries) === 0) continue;
    const table: Table = toWideTable(timeSeries, { metrics: query.metrics, printStamp });
    const header = text === "";
    for await (const part of printTable(table, "csv", { header })) text += part;
    expectSame(toLongTable(timeSeries, { metrics: query.metrics, printStamp }).columns.at(-1)?.name, "value");
  }
  return text;
}

function countPoints(timeSeries: readonly TimeSeries[]): number {
  return timeSeries.reduce((sum, { series }) => sum + series.reduce((count, { points }) => count + points.stamps.length, 0), 0);
}

async function checkRefusals({ baseUrl }: Sandbox): Promise<void> {
  expectSame(await kindOf(async () => ask({ ...WINDOW, metrics: ["prise"] })), "usage");
  const stranger = connect({ token: "another-token", baseUrl, retries: 0 });
  expectSame(await kindOf(() => fetchCsv(ask(WINDOW), stranger)), "authentication");
  await stranger.close();
}

async function kindOf(work: () => Promise<unknown>): Promise<ErrorKind | undefined> {
  try {
    await work();
  } catch (error) {
    if (error instanceof EntsError) return error.kind;
    throw error;
  }
  return undefined;
}

function expectSame<T>(came: T, expected: T): void {
  if (came !== expected) throw new Error(`expected ${String(expected)}, came ${String(came)}`);
}
