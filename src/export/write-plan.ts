/** `--dry-run`: the plan as data. */
import type { Context } from "../context.ts";
import { resolveUrl } from "../client/client.ts";
import { findBaseUrl } from "../credentials/service.ts";
import { toRecords } from "../format/cells.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import type { Plan } from "../plan.ts";
import type { Report } from "../report.ts";
import type { Column, Row, Table } from "../rows/table.ts";
import { LosslessNumber } from "../series/json.ts";
import { openSink, writeAll } from "../sink/open.ts";
import { encodeTable } from "./encode.ts";
import type { Output } from "./output.ts";

const COLUMNS: readonly Column[] = [
  { name: "method", kind: "text" },
  { name: "url", kind: "text" },
  { name: "points", kind: "value" },
];

export interface PlanWriting {
  readonly output: Output;
  readonly fetch: FetchValues;
  readonly report: Report;
}

/** Writes the requests of a plan and what they come to; sends none. */
export async function writePlan(plan: Plan, { output, fetch, report }: PlanWriting, context: Context): Promise<void> {
  const baseUrl = fetch.sandbox ? new URL("http://127.0.0.1") : await findBaseUrl(fetch.baseUrl, context.env);
  const rows = plan.requests.map(({ method, path, points }): Row => [method, resolveUrl(baseUrl, path).href, toCell(points)]);
  const sink = await openSink(output.path, context.stdout.stream);
  await writeAll(sink, encodePlan({ columns: COLUMNS, rows }, plan, output));
  const { requests, points } = addUp(plan);
  report.note(`${requests} ${requests === 1 ? "request" : "requests"}, ${points === undefined ? "points unknown" : `about ${points.toLocaleString("en-US")} points`}; nothing was sent`);
}

function encodePlan(table: Table, plan: Plan, output: Output): Iterable<string> {
  if (output.format.takes === "rows") return encodeTable(table, output);
  const { requests, points } = addUp(plan);
  const total = { requests: new LosslessNumber(String(requests)), points: points === undefined ? null : new LosslessNumber(String(points)) };
  return output.format.encodeValue({ requests: toRecords(table), total });
}

function addUp({ requests }: Plan): { requests: number; points: number | undefined } {
  const points = requests.map((request) => request.points);
  const known = points.filter((count) => count !== undefined);
  return { requests: requests.length, points: known.length < points.length ? undefined : known.reduce((sum, count) => sum + count, 0) };
}

function toCell(points: number | undefined): string | null {
  return points === undefined ? null : String(points);
}
