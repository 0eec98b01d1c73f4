/** `--dry-run`: the plan as data. */
import type { Context } from "../base/context.ts";
import { resolveUrl } from "../source/address.ts";
import type { PlanLimits } from "../settings/key-limits.ts";
import { findBaseUrl, type Settings } from "../settings/settings.ts";
import { toRecords } from "../format/cells.ts";
import { encodeTable } from "../format/encode.ts";
import type { FormatOptions, EncodedParts } from "../format/format.ts";
import { encodeJson } from "../format/json.ts";
import { describeFormat, FORMATS } from "../format/registry.ts";
import { FETCH_OPTIONS, type FetchValues } from "../options/fetch-options.ts";
import { listRequests, type Plan } from "../plan/plan.ts";
import { formatCount, formatNumber } from "../base/phrases.ts";
import type { Report } from "../base/report.ts";
import type { Column, Row, Table } from "../series/layout/layout.ts";
import { LosslessNumber } from "../base/json.ts";
import { defaultFormat } from "./choose-format.ts";
import { writeParts } from "./destination/destination.ts";
import type { Output } from "./output.ts";
import { formatSeconds } from "./progress-line.ts";
import { describeRequests, describeShare, sharePercent } from "./quota.ts";
import { bold, DEFAULT_SCREEN } from "../base/terminal.ts";
import type { Window } from "../query/window.ts";
import { formatShort } from "../time/local-time.ts";

const COLUMNS: readonly Column[] = [
  { name: "method", kind: "text" },
  { name: "url", kind: "text" },
  { name: "points", kind: "value" },
];

export interface PlanWriting {
  readonly output: Output;
  readonly fetch: FetchValues;
  readonly keyLimits: PlanLimits;
  readonly settings: Settings;
  readonly report: Report;
}

/** Writes the requests of a plan and their totals; sends none. */
export async function writePlan(
  plan: Plan & { readonly atHand?: number },
  { output, fetch, keyLimits, settings, report }: PlanWriting,
  context: Context,
): Promise<void> {
  const baseUrl = fetch.sandbox ? new URL("http://127.0.0.1") : findBaseUrl(fetch.baseUrl, settings);
  const address = (path: string) => resolveUrl(baseUrl, path).href;
  const rows = listRequests(plan).map(({ method, path, points }): Row => [method, address(path), toCell(points)]);
  const total = sumPlan(plan, fetch.rate ?? FETCH_OPTIONS.rate.default, keyLimits);
  const planned = await choosePlanFormat(output, context);
  const { formatName, formatOptions } = planned;
  const isListed = formatName === "table" && formatOptions.screen.isTerminal;
  const parts = isListed ? listPlan(plan, { ...formatOptions, address }) : encodePlan({ columns: COLUMNS, rows }, total, planned);
  await writeParts(undefined, parts, context);
  const atHand = plan.atHand ? `${formatCount(plan.atHand, "answer is", "answers are")} at hand; ` : "";
  report.note(`${atHand}${describeRequests(total.requests, plan)}, ${describeTotal(total, fetch.sandbox, keyLimits)}`);
}

interface Total {
  readonly requests: number;
  readonly points: number | null;
  /** At least: at the rate asked for. */
  readonly seconds: number;
  /** The share of a day's requests that the key's plan allows; of a community key's, where the plan is unknown. */
  readonly quota_percent: number;
}

type PlanOutput = Pick<Output, "formatName" | "format" | "formatOptions">;

/** A plan is a list on standard output: a format that is not for those gives way to the default one. */
async function choosePlanFormat(output: PlanOutput, { stdout }: Pick<Context, "stdout">): Promise<PlanOutput> {
  const { binary, seriesOnly } = describeFormat(output.formatName);
  if (!binary && !seriesOnly) return output;
  const formatName = defaultFormat(stdout.isTerminal);
  return { formatName, format: await FORMATS[formatName].load(), formatOptions: { ...output.formatOptions, screen: stdout } };
}

function encodePlan(table: Table, total: Total, output: PlanOutput): EncodedParts {
  if (output.formatName !== "json") return encodeTable(table, output.format, output.formatOptions);
  const numbers = Object.entries(total).map(([key, value]) => [key, value === null ? null : new LosslessNumber(String(value))] as const);
  return [encodeJson({ requests: toRecords(table), total: Object.fromEntries(numbers) })];
}

function sumPlan(plan: Plan, rate: number, keyLimits: PlanLimits): Total {
  const requests = listRequests(plan);
  const known = requests.map(({ points }) => points).filter((points) => points !== undefined);
  return {
    requests: requests.length,
    points: known.length < requests.length ? null : known.reduce((sum, points) => sum + points, 0),
    seconds: Math.ceil((requests.length - 1) / rate),
    quota_percent: sharePercent(requests.length, keyLimits),
  };
}

function describeTotal({ requests, points, seconds }: Total, sandbox: boolean, keyLimits: PlanLimits): string {
  const parts = [
    points === null ? "points unknown" : `about ${formatCount(points, "point")}`,
    ...(requests === 1 || sandbox ? [] : [`at least ${formatSeconds(seconds)} at this rate`]),
    ...(sandbox ? [] : [describeShare(requests, keyLimits)]),
  ];
  return `${parts.filter(Boolean).join(", ")}; nothing was sent`;
}

function toCell(points: number | undefined): string | null {
  return points === undefined ? null : String(points);
}

/** A plan on a terminal: each request's window, and its address whole, to be copied. */
interface ListingOptions extends Pick<FormatOptions, "limit" | "screen"> {
  /** The address of a path. */
  readonly address: (path: string) => string;
}

/** The first and the last requests, as many as the terminal's height holds; `limit`: as many as that, 0 is all. */
export function* listPlan(plan: Pick<Plan, "windows">, { address, limit, screen }: ListingOptions): Generator<string> {
  const entries = plan.windows.flatMap(({ window, requests }) =>
    requests.map(({ path, points }, index) => {
      const batch = requests.length > 1 ? `, batch ${index + 1} of ${requests.length}` : "";
      const amount = points === undefined ? "" : `, about ${formatCount(points, "point")}`;
      return { heading: `${describeWindow(window)}${batch}${amount}`, url: address(path) };
    }),
  );
  const shown = limit === 0 ? entries.length : (limit ?? countFitting(entries, screen));
  const [first, last] = [Math.ceil(shown / 2), entries.length - Math.floor(shown / 2)];
  for (const [index, { heading, url }] of entries.entries()) {
    if (index === first && first < last) yield `... ${formatNumber(last - first)} more; --limit 0 shows all\n\n`;
    if (index >= first && index < last) continue;
    const title = `${index + 1}. ${heading}`;
    // Whole in a line of its own: a terminal wraps it, and a copy has no breaks.
    yield `${screen.colors ? bold(title) : title}\n${url}\n\n`;
  }
}

/** Lines for the totals, what is left out, and the prompt. */
const OTHER_LINES = 5;

function countFitting(
  entries: readonly { readonly url: string }[],
  { columns = DEFAULT_SCREEN.columns, rows = DEFAULT_SCREEN.rows }: FormatOptions["screen"],
): number {
  const longest = entries.reduce((most, { url }) => Math.max(most, Math.ceil(url.length / columns)), 1);
  return Math.max(2, Math.floor((rows - OTHER_LINES) / (longest + 2)));
}

function describeWindow({ start, end }: Window): string {
  if (start === undefined) return end === undefined ? "the service's default window" : `to ${formatShort(end)}`;
  return end === undefined ? `from ${formatShort(start)}` : `${formatShort(start)} to ${formatShort(end)}`;
}
