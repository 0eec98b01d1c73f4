/** `--dry-run`: writes the plan. */
import type { Context } from "../base/context.ts";
import { resolveUrl } from "../plan/request-path.ts";
import type { KeyLimits, PlanLimits } from "../settings/key-limits.ts";
import { findBaseUrl } from "../settings/settings.ts";
import { toRecords } from "../format/cells.ts";
import { encodeTable } from "../format/encode.ts";
import type { FormatOptions, EncodedParts } from "../format/format.ts";
import { encodeJson } from "../format/json.ts";
import { describeFormat, FORMATS } from "../format/registry.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { listRequests, listAskedWindows, networkNow, type Plan } from "../plan/plan.ts";
import { groupBy } from "../base/group-by.ts";
import { formatCount, formatNumber } from "../base/phrases.ts";
import type { Reason } from "../store/journal.ts";
import type { Column, Row, Table } from "../series/layout/layout.ts";
import { LosslessNumber } from "../base/json.ts";
import { defaultFormat } from "./choose-format.ts";
import { writeParts } from "./destination/destination.ts";
import type { MissingPlan, PlannedJob } from "./job.ts";
import type { Output } from "./output.ts";
import { formatSeconds } from "./progress-line.ts";
import { findFirstStart } from "./failure.ts";
import { countDays, describeRequests, describeShare, nameKey, sharePercent } from "./quota.ts";
import { bold, DEFAULT_SCREEN } from "../base/terminal.ts";
import type { Window } from "../query/window.ts";
import { DAY, formatShort } from "../time/local-time.ts";

const COLUMNS: readonly Column[] = [
  { name: "method", kind: "text" },
  { name: "url", kind: "text" },
  { name: "points", kind: "value" },
];

const REASON: Column = { name: "reason", kind: "text" };

/** Writes the requests of a plan and their totals without sending any. */
export async function writePlan(
  plan: Plan & Partial<MissingPlan>,
  { output, options, keyLimits, settings, context, report }: PlannedJob,
): Promise<void> {
  const { sandbox, rate = FETCH_OPTIONS.rate.default } = options;
  const baseUrl = sandbox ? new URL("http://127.0.0.1") : findBaseUrl(options.baseUrl, settings);
  const address = (path: string) => resolveUrl(baseUrl, path).href;
  const { reasons } = plan;
  const columns = reasons ? [...COLUMNS, REASON] : COLUMNS;
  const rows = listRequests(plan).map(({ method, path, points }): Row => {
    const row = [method, address(path), points?.toString() ?? null];
    return reasons ? [...row, reasons.get(path) ?? null] : row;
  });
  const total = sumPlan(plan, rate, keyLimits);
  const planned = await choosePlanFormat(output, context);
  const { formatName, formatOptions } = planned;
  const isListed = formatName === "table" && formatOptions.screen.isTerminal;
  const parts = isListed
    ? listPlan(plan, { ...formatOptions, address })
    : encodePlan({ columns, rows }, total, planned);
  await writeParts(undefined, parts, context);
  const facts = [
    describeRequests(total.requests, plan),
    reasons && countReasons(reasons),
    total.points === null ? "points unknown" : `about ${formatCount(total.points, "point")}`,
    !sandbox && total.requests > 1 && `at least ${formatSeconds(total.seconds)} at this rate`,
    !sandbox && describeShare(total.requests, keyLimits),
    !sandbox && total.days > 1 && `at least ${formatCount(total.days, "day")}`,
  ].filter(Boolean);
  const early = explainEarlyStart(plan, keyLimits);
  if (early !== undefined) report.warn(early);
  const atHand = plan.atHand ? `${formatCount(plan.atHand, "response is", "responses are")} already stored; ` : "";
  report.note(`${atHand}${facts.join(", ")}; nothing was sent`);
}

/** `1 missing, 1 open, 1 recheck` */
function countReasons(reasons: ReadonlyMap<string, Reason>): string {
  const groups = groupBy([...reasons.values()], (reason) => reason);
  return Array.from(groups, ([reason, all]) => `${formatNumber(all.length)} ${reason}`).join(", ");
}

/** Says if the plan in use does not reach back to the start. */
function explainEarlyStart({ query, now }: Plan, { plan, historyDays, isOfPlan }: KeyLimits): string | undefined {
  const [{ start } = query.window] = listAskedWindows(query);
  const local = networkNow(query.network, now);
  if (!isOfPlan || start === undefined || local === undefined || start >= local - historyDays * DAY) return undefined;
  const first = formatShort(findFirstStart(query, local, historyDays));
  const days = formatCount(historyDays, "day");
  if (query.transforms && (query.window.start ?? start) >= local - historyDays * DAY)
    return `with ${nameKey(plan)}, the service will refuse what is needed before the window, from ${formatShort(start)}: it has data of the last ${days}`;
  return `with ${nameKey(plan)}, the service will refuse this start: it has data of the last ${days}; the earliest start allowed is ${first}`;
}

type PlanOutput = Pick<Output, "formatName" | "format" | "formatOptions">;

/** Replaces a format that is binary or needs series with the default one, as a plan is a list on standard output. */
async function choosePlanFormat(output: PlanOutput, { stdout }: Pick<Context, "stdout">): Promise<PlanOutput> {
  const { binary, seriesOnly } = describeFormat(output.formatName);
  if (!binary && !seriesOnly) return output;
  const formatName = defaultFormat(stdout.isTerminal);
  return {
    formatName,
    format: await FORMATS[formatName].load(),
    formatOptions: { ...output.formatOptions, screen: stdout },
  };
}

function encodePlan(table: Table, total: ReturnType<typeof sumPlan>, output: PlanOutput): EncodedParts {
  if (output.formatName !== "json") return encodeTable(table, output.format, output.formatOptions);
  const numbers = Object.entries(total).map(
    ([key, value]) => [key, value === null ? null : new LosslessNumber(String(value))] as const,
  );
  return [encodeJson({ requests: toRecords(table), total: Object.fromEntries(numbers) })];
}

function sumPlan(plan: Plan, rate: number, keyLimits: PlanLimits) {
  const requests = listRequests(plan);
  const known = requests.map(({ points }) => points).filter((points) => points !== undefined);
  return {
    requests: requests.length,
    points: known.length < requests.length ? null : known.reduce((sum, points) => sum + points, 0),
    /** Minimum duration, at the requested rate. */
    seconds: Math.ceil((requests.length - 1) / rate),
    /** Share of the daily quota of the key's plan, or of a community key if the plan is unknown. */
    quota_percent: sharePercent(requests.length, keyLimits.perDay),
    /** Minimum number of days by the quotas of that plan. */
    days: countDays(requests.length, keyLimits),
  };
}

interface ListingOptions extends Pick<FormatOptions, "limit" | "screen"> {
  /** The URL of a request path. */
  readonly address: (path: string) => string;
}

/**
 * A plan for a terminal: each request's window and its complete URL, ready to copy. Shows the first and last requests,
 * as many as fit on the terminal, or `limit` of them (0: all).
 */
export function* listPlan(
  { windows, reasons }: Pick<MissingPlan, "windows" | "reasons">,
  { address, limit, screen }: ListingOptions,
): Generator<string> {
  const entries = windows.flatMap(({ window, requests }) =>
    requests.map(({ path, points }, index) => {
      const batch = requests.length > 1 ? `, batch ${index + 1} of ${requests.length}` : "";
      const amount = points === undefined ? "" : `, about ${formatCount(points, "point")}`;
      const reason = reasons ? `, ${reasons.get(path)}` : "";
      return { heading: `${describeWindow(window)}${batch}${reason}${amount}`, url: address(path) };
    }),
  );
  const shown = limit === 0 ? entries.length : (limit ?? countFitting(entries, screen));
  const [first, last] = [Math.ceil(shown / 2), entries.length - Math.floor(shown / 2)];
  for (const [index, { heading, url }] of entries.entries()) {
    if (index === first && first < last) yield `... ${formatNumber(last - first)} more; --limit 0 shows all\n\n`;
    if (index >= first && index < last) continue;
    const title = `${index + 1}. ${heading}`;
    // The URL has a line of its own: the terminal wraps it, and a copy has no line breaks.
    yield `${screen.colors ? bold(title) : title}\n${url}\n\n`;
  }
}

/** Lines reserved for the totals, the "more" line, and the prompt. */
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
