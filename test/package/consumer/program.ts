/** A program that uses ents as users do: `import … from "ents"`, compiled strictly, run on plain Node. */
import {
  buildQuery,
  type Chunk,
  type Client,
  connect,
  EntsError,
  type ErrorKind,
  fetchSeries,
  listRequests,
  type Plan,
  planQuery,
  printSeries,
  type Query,
  type QueryInput,
  type Sandbox,
  startSandbox,
  type Table,
  type TimeSeries,
  toTable,
} from "ents";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const WINDOW: QueryInput = {
  metrics: ["price", "demand"],
  interval: "1h",
  dateStart: "2025-01-30T00:00",
  dateEnd: "2025-01-31T23:59:59",
  networkRegion: ["SA1"],
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

/** A plan is a value: two days in windows of seven hours are seven requests, and none is sent. */
function checkPlan(query: Query): void {
  const plan: Plan = planQuery(query, { now: NOW, maxWindow: { amount: 7, unit: "hours" } });
  const paths = listRequests(plan).map(({ path }) => path);
  expectSame(paths.length, 7);
  expectSame(
    paths.every((path) =>
      path.startsWith("/v4/market/network/NEM?metrics=price&metrics=demand&interval=1h&date_start="),
    ),
    true,
  );
}

/** The text is the same for any number of requests: one header, and every row once. */
async function fetchCsv(query: Query, from: Client, hours?: number): Promise<string> {
  const maxWindow = hours === undefined ? {} : { maxWindow: { amount: hours, unit: "hours" } as const };
  const printing = { format: "csv", shape: "wide", metrics: query.metrics, timeZone: "utc" } as const;
  let text = "";
  for await (const part of printSeries(watch(fetchSeries(query, { client: from, ...maxWindow })), printing)) {
    text += typeof part === "string" ? part : new TextDecoder().decode(part);
  }
  return text;
}

/** Looks at the chunks that pass through. */
async function* watch(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    const table: Table = toTable(chunk.timeSeries, {
      shape: "long",
      metrics: ["price"],
      printTimestamp: (timestamp) => timestamp,
    });
    expectSame(table.columns.at(-1)?.name, "value");
    expectSame([...table.rows].length, countPoints(chunk.timeSeries));
    yield chunk;
  }
}

function countPoints(timeSeries: readonly TimeSeries[]): number {
  return timeSeries.reduce(
    (sum, { series }) => sum + series.reduce((count, { points }) => count + points.timestamps.length, 0),
    0,
  );
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
