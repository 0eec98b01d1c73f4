import { expect } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/sandbox.ts";

export type Value = number | null;

interface ResultItem {
  readonly name: string;
  readonly date_start: string;
  readonly date_end: string;
  readonly columns: Readonly<Record<string, string | boolean>>;
  readonly data: readonly (readonly [string, Value])[];
}

export interface TimeSeriesItem {
  readonly network_code: string;
  readonly metric: string;
  readonly unit: string;
  readonly interval: string;
  readonly date_start: string;
  readonly date_end: string;
  readonly groupings: readonly string[];
  readonly results: readonly ResultItem[];
  readonly network_timezone_offset: string;
}

export type Query = Readonly<Record<string, string | readonly string[]>>;

/** A day on which all of today's units exist. */
export const NOW = Date.parse("2026-03-01T00:00:00Z");

/** A sandbox whose clock stands still, so that tests give the same result every day. */
export function startStill(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox({ now: () => NOW, ...options });
}

export function urlOf(sandbox: Sandbox, path: string, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each] as [string, string]),
  );
  return `${sandbox.baseUrl}/v4${path}?${new URLSearchParams(pairs)}`;
}

export function askRaw(sandbox: Sandbox, path: string, query: Query = {}): Promise<Response> {
  return fetch(urlOf(sandbox, path, query), { headers: { authorization: `Bearer ${sandbox.token}` } });
}

/** The data of a request that must succeed. */
export async function ask(sandbox: Sandbox, path: string, query: Query): Promise<readonly TimeSeriesItem[]> {
  const response = await askRaw(sandbox, path, query);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const envelope = (await response.json()) as { data: readonly TimeSeriesItem[] };
  return envelope.data;
}

/** The series of a request for one metric, by label. */
export async function askSeries(
  sandbox: Sandbox,
  path: string,
  query: Query,
): Promise<Map<string, Map<string, Value>>> {
  const data = await ask(sandbox, path, query);
  const results = data.flatMap((item) => item.results);
  return new Map(results.map((result) => [Object.values(result.columns).join("|"), new Map(result.data)]));
}

/** Values have at most 4 decimals; in units of 0.0001 they are integers with exact sums. */
export function inTenThousandths(value: number): number {
  return Math.round(value * 10_000);
}

/** The sum at each timestamp of the series that have a value there. */
export function sumSeries(series: Iterable<ReadonlyMap<string, Value>>): Map<string, Value> {
  const sum = new Map<string, Value>();
  for (const points of series) {
    for (const [timestamp, value] of points) {
      const before = sum.get(timestamp) ?? null;
      sum.set(timestamp, value === null ? before : (inTenThousandths(before ?? 0) + inTenThousandths(value)) / 10_000);
    }
  }
  return sum;
}

/** In order of time. */
export function inOrder(points: ReadonlyMap<string, Value>): [string, Value][] {
  return [...points].toSorted(([a], [b]) => Date.parse(a) - Date.parse(b));
}

/** An error body of the public service, with a message that contains `part`. */
export function errorBody(part: string): unknown {
  const error: unknown = expect.stringContaining(part);
  return { version: "4.5.17", response_status: "ERROR", error, success: false };
}
