/** What an output prints in place of all rows, from its flags. Analyses are loaded only if one is asked for. */
import { usageError } from "../base/errors.ts";
import { formatList } from "../base/phrases.ts";
import { findRule, isInterval } from "../base/intervals.ts";
import { LONGEST_PROVISIONAL } from "../base/provisional.ts";
import { isForecast } from "../base/vocabulary.ts";
import { OUTPUT_FLAGS, type OutputValues } from "../format/output-options.ts";
import { describeFormat, type FormatName } from "../format/registry.ts";
import { ANALYSIS_FLAG_NAMES, type AnalysisFlag, type AnalysisValues } from "../format/analysis-flags.ts";
import { isGiven } from "../options/check.ts";
import { QUERY_OPTIONS, type QueryValues } from "../options/query-options.ts";
import type { MetricNumber } from "../options/schemas.ts";
import type { UpkeepValues } from "../options/upkeep-options.ts";
import type { Query } from "../query/query.ts";
import type { PartialIntervals } from "../query/window.ts";
import type { ValueLimits } from "../series/analyses/pick.ts";
import { type PeriodKind, PERIOD_NAMES } from "../series/analyses/periods.ts";
import type { Analysis } from "../series/analyses/analysis.ts";
import { lengthsOf } from "../time/calendar.ts";
import { DAY } from "../time/local-time.ts";
import { createZonedPrinter, type TimestampPrinter } from "../time/timestamp-printer.ts";
import type { Zone } from "../time/zone.ts";

/** What the series of an output are. */
export interface AnalysisRequest {
  readonly query: Query;
  readonly partial: readonly PartialIntervals[];
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

interface AnalysisSetting extends AnalysisRequest {
  readonly formatName: FormatName;
  readonly zone: Zone;
  readonly printTimestamp: TimestampPrinter;
}

type AnalysisFlagValues = Partial<AnalysisValues> &
  Pick<OutputValues, "output" | "shape" | "pivot" | "intervalEnd" | "timeFormat"> &
  Partial<Pick<UpkeepValues, "update" | "follow" | "partition">>;

/**
 * The limits of `--above` and `--below`, which are also counted in summaries. @throws {EntsError} usage: an unclear
 * metric.
 */
export function findValueLimits(
  { above, below }: Partial<AnalysisValues>,
  { metrics }: Query,
): ValueLimits | undefined {
  if (!above && !below) return undefined;
  const flags = { above, below };
  const [metric = "", other] = new Set(
    (["above", "below"] as const).flatMap((flag) => (flags[flag] ? [resolveMetric(flag, flags[flag], metrics)] : [])),
  );
  if (other !== undefined)
    throw usageError(
      `--above is of ${metric}, and --below of ${other}`,
      "use both with the same metric, or one of them",
    );
  return { metric, above: above?.value, below: below?.value };
}

function resolveMetric(flag: AnalysisFlag, { metric, text }: MetricNumber, metrics: readonly string[]): string {
  const [first = "", ...others] = metrics;
  const written = (name: string) => `${ANALYSIS_FLAG_NAMES[flag]} ${name}:${text}`;
  if (metric === undefined && others.length > 0)
    throw usageError(
      `${ANALYSIS_FLAG_NAMES[flag]} ${text} could be of ${formatList(metrics, "or")}`,
      `use ${formatList(metrics.map(written), "or")}`,
    );
  if (metric !== undefined && !metrics.includes(metric))
    throw usageError(
      `${written(metric)} is of a metric that is not asked for`,
      `use ${formatList(metrics.map(written), "or")}`,
    );
  return metric ?? first;
}

/** How far back `--latest` looks: a day, or three intervals if that is longer. */
export function findLatestWindow({ last, interval, settled }: AnalysisValues & QueryValues): Pick<QueryValues, "last"> {
  if (last) return { last };
  const rule = interval !== undefined && isInterval(interval) ? findRule(interval) : undefined;
  if (rule && "months" in rule) return { last: { amount: 3 * rule.months, unit: "months" } };
  return {
    last: { amount: (Math.max(DAY, 3 * (rule?.ms ?? 0)) + (settled ? LONGEST_PROVISIONAL : 0)) / DAY, unit: "days" },
  };
}

/** Undefined if all rows are printed as they are. @throws {EntsError} usage: flags that do not go together. */
export async function chooseAnalysis(
  values: AnalysisFlagValues,
  setting: AnalysisSetting,
): Promise<Analysis | undefined> {
  checkFlags(values, setting);
  const create = await loadAnalysis(values, setting);
  const { per, profile } = values;
  if (!create || per === undefined || profile !== undefined) return create?.();
  const isDrawn = describeFormat(setting.formatName).draws === true;
  return new (await import("../series/analyses/per.ts")).PerAnalysis({ per, zone: setting.zone, isDrawn, create });
}

/** Returns what makes the analysis, for each period if there are several. */
async function loadAnalysis(
  values: AnalysisFlagValues,
  setting: AnalysisSetting,
): Promise<(() => Analysis) | undefined> {
  const { above, below, top, bottom, each = false, latest, profile, per, duration, summaryOnly, pivot } = values;
  const { query, partial, formatName, zone, now } = setting;
  const isTable = describeFormat(formatName).isForPeople === true;
  const printTimestamp = isTable ? createZonedPrinter(zone, "name", query.interval) : setting.printTimestamp;
  const isDrawn = describeFormat(formatName).draws === true;
  const starts = partial.flatMap((group) => group.starts);
  const limits = findValueLimits(values, query);
  if (summaryOnly) {
    const [{ SummaryAnalysis }, { Summary }, { listSummary }] = await Promise.all([
      import("../series/analyses/summary-analysis.ts"),
      import("../series/summary.ts"),
      import("../format/summary-lines.ts"),
    ]);
    return () =>
      new SummaryAnalysis(new Summary(query, now, { partial: starts, limits }), printTimestamp, (all, page) =>
        listSummary(all, { ...page, zone }),
      );
  }
  if (top || bottom) {
    const [flag, ranking] = top ? (["top", top] as const) : (["bottom", bottom as MetricNumber] as const);
    const metric = resolveMetric(flag, ranking, query.metrics);
    const { TopAnalysis } = await import("../series/analyses/top.ts");
    const isWide = isTable && !values.compare;
    return () =>
      new TopAnalysis(
        { metric, count: ranking.value, isLargest: flag === "top", isEach: each, limits, isDrawn, isWide },
        printTimestamp,
      );
  }
  if ((above || below) && !latest) {
    const { PickAnalysis } = await import("../series/analyses/pick.ts");
    const shape = isTable && pivot === undefined && !values.compare ? (values.shape ?? "wide") : undefined;
    return () => new PickAnalysis({ limits: limits as ValueLimits, isDrawn, pivot, shape });
  }
  if (latest) {
    const { LatestAnalysis } = await import("../series/analyses/latest.ts");
    const isLong = !isTable || query.metrics.length > 1;
    return () => new LatestAnalysis({ query, printTimestamp, now, isLong, limits });
  }
  const isWide = pivot !== undefined || (values.shape ?? describeFormat(formatName).shape) === "wide";
  if (duration) {
    const [{ DurationAnalysis }, { Dates }] = await Promise.all([
      import("../series/analyses/duration.ts"),
      import("../series/analyses/collected.ts"),
    ]);
    const dates = new Dates();
    return () => new DurationAnalysis({ partial: starts, zone, isByRank: isWide, dates });
  }
  if (profile === undefined) return undefined;
  const { ProfileAnalysis } = await import("../series/analyses/profile.ts");
  const isLong = !isWide && !isDrawn;
  return () => new ProfileAnalysis({ by: profile, per, zone, partial: starts, isDrawn, isTable, isLong });
}

function checkFlags(values: AnalysisFlagValues, { query, formatName }: AnalysisSetting): void {
  const { latest, profile, per, compare, shape } = values;
  if (formatName === "openmetrics" && !latest)
    throw usageError("openmetrics has the newest values alone", `add ${ANALYSIS_FLAG_NAMES.latest}`);
  if (compare && shape === "wide") throw refuseWide("compare", "leave it out: each row has a value and the one before");
  const ranked = (["latest", "summaryOnly", "top", "bottom"] as const).find((key) => isGiven(values[key]));
  if (ranked && shape === "wide") throw refuseWide(ranked, `leave out ${OUTPUT_FLAGS.shape} wide`);
  if (per !== undefined) checkPeriod(per, query);
  if (latest) checkForecasts(query, ANALYSIS_FLAG_NAMES.latest);
  if (profile !== undefined) checkProfile(profile, query);
}

function refuseWide(key: AnalysisFlag, use: string): Error {
  return usageError(`${ANALYSIS_FLAG_NAMES[key]} cannot be used with ${OUTPUT_FLAGS.shape} wide`, use);
}

function checkForecasts({ metrics }: Query, name: string): void {
  const forecast = metrics.find(isForecast);
  if (forecast !== undefined)
    throw usageError(`${name} is of measured values; ${forecast} is a forecast`, `leave out ${name}, or ${forecast}`);
}

function checkPeriod(per: PeriodKind, { interval }: Query): void {
  if (interval === undefined)
    throw usageError("--per needs an interval", `add ${QUERY_OPTIONS.interval.short} 1h, or 5m`);
  if (lengthsOf(findRule(interval)).shortest <= PERIOD_DAYS[per] * DAY) return;
  throw usageError(
    `--per ${per} needs intervals that are no longer than a ${PERIOD_NAMES[per]}; this is ${interval}`,
    `use ${QUERY_OPTIONS.interval.short} ${per === "day" ? "1h" : "1d"}, or 5m`,
  );
}

/** At most. */
const PERIOD_DAYS = { day: 1, week: 7, month: 31, quarter: 92, season: 92, year: 366, fy: 366 };

const LENGTHS = { day: DAY, week: 7 * DAY, year: 365 * DAY };

function checkProfile(profile: keyof typeof LENGTHS, { interval }: Query): void {
  if (interval === undefined)
    throw usageError("--profile needs an interval", `add ${QUERY_OPTIONS.interval.short} 1h, or 5m`);
  if (lengthsOf(findRule(interval)).longest < LENGTHS[profile]) return;
  throw usageError(
    `${ANALYSIS_FLAG_NAMES.profile} ${profile} needs an interval shorter than a ${profile}; this is ${interval}`,
    `use ${QUERY_OPTIONS.interval.short} ${profile === "day" ? "1h" : "1d"}, or 5m`,
  );
}
