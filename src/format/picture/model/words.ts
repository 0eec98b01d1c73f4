/** Titles and names. */
import { extent } from "d3-array";
import { isRegion, nameCode, nameCodeBriefly } from "../../../base/code-names.ts";
import { keyLabel, orderLabelNames, listLabelLists } from "../../../series/order.ts";
import { findLabel, findClockOffset, type Label, type Labels, type TimeSeries } from "../../../series/time-series.ts";
import { toJsonText } from "../../../base/json.ts";
import { isFuelLabel } from "../../../base/fueltechs.ts";
import { formatList } from "../../../base/phrases.ts";
import { escapeControls } from "../../../base/terminal.ts";
import { UNIT_LABEL } from "../../../base/vocabulary.ts";
import type { Query } from "../../../query/query.ts";
import { formatMinute, formatOffset } from "../../../time/local-time.ts";
import { NETWORK_ZONE, nameZone, type Zone } from "../../../time/zone.ts";
import type { FuelSource, UnitFacts } from "../../../series/fuels.ts";
import { PERIOD_LABEL } from "../../../series/analyses/result.ts";
import { createUnitNamer, type Namer } from "../../unit-names.ts";
import { describeTransforms } from "../../../query/transforms.ts";
import { describeInterval, describePeriod } from "../../period.ts";
import type { Picture, Subject, SubjectName, TimeAxis } from "./picture.ts";

export function findVaryingLabels(sources: readonly FuelSource[]): string[] {
  const isVarying = (label: string) =>
    new Set(sources.map(({ series }) => keyLabel(findLabel(series, label)))).size > 1;
  return listOrderedLabels(sources).filter(isVarying);
}

function listOrderedLabels(sources: readonly FuelSource[]): string[] {
  return orderLabelNames(listLabelLists(sources.map(({ item, series }) => ({ ...item, series: [series] }))));
}

export interface Naming {
  /** True if codes are kept as the service writes them. */
  readonly isRaw: boolean;
  /** Labels that are named elsewhere. */
  readonly without?: readonly string[];
  /** The list of units, for the names of facilities. */
  readonly units?: UnitFacts | undefined;
}

/**
 * Names each series by what distinguishes it from the others: the rest of its metric, and labels, the region last.
 * Names are equal only of series that differ in a label that is named elsewhere.
 */
export function nameSources(sources: readonly FuelSource[], { isRaw, without = [], units }: Naming): string[] {
  const labels = findVaryingLabels(sources).filter((label) => !without.includes(label));
  const metrics = [...new Set(sources.map(({ item }) => item.metric))];
  const { rests } = splitMetrics(metrics, isRaw);
  const hasMetric = metrics.length > 1 || labels.length === 0;
  const nameOfUnit = createUnitNamer(units, listShown(sources));
  const nameOf = hasMetric || labels.length > 1 ? nameCodeBriefly : nameCode;
  const name: Namer = (label, code) => nameOf(label, code) ?? nameOfUnit(label, code);
  const counts = new Map<string, number>();
  return sources.map(({ item, series }) => {
    const parts = labels
      .toSorted((a, b) => Number(isRegion(a)) - Number(isRegion(b)))
      .map((label) => {
        const value = findLabel(series, label);
        return (isRaw ? undefined : name(label, String(value))) ?? nameLabel(label, value);
      });
    const text = escapeControls([...(hasMetric ? [rests.get(item.metric) ?? item.metric] : []), ...parts].join(", "));
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count === 1 || without.length > 0 ? text : `${text} (${count})`;
  });
}

function listShown(sources: readonly FuelSource[]): readonly Labels[] {
  return sources.map(({ series }) => series.labels);
}

function nameLabel(label: string, value: Label): string {
  if (value === null) return "(none)";
  if (typeof value === "boolean") return value ? label : `not ${label}`;
  return typeof value === "string" ? value : toJsonText(value);
}

/** `Price`; `Demand and demand gross`; `Flow (imports and exports)` */
export function titleMetrics(metrics: readonly string[]): string {
  const { common, rests } = splitMetrics(metrics, false);
  const list = formatList(
    [...rests.values()].map((rest) => rest.slice(0, 1).toLowerCase() + rest.slice(1)),
    "and",
  );
  return toTitle(common === "" ? list : `${common} (${list})`);
}

/**
 * Splits metrics into the first words that all have in common, and the rest of each; no words are common if one has no
 * rest.
 */
function splitMetrics(
  metrics: readonly string[],
  isRaw: boolean,
): { readonly common: string; readonly rests: ReadonlyMap<string, string> } {
  if (isRaw) return { common: "", rests: new Map(metrics.map((metric) => [metric, metric])) };
  const words = metrics.map((metric) => metric.split("_"));
  const [first = []] = words;
  const differs = (at: number) => words.some((list) => list[at] !== first[at] || list.length <= at + 1);
  const shared = metrics.length < 2 ? 0 : first.findIndex((_, at) => differs(at));
  return {
    common: first.slice(0, Math.max(0, shared)).join(" "),
    rests: new Map(
      metrics.map((metric, index) => [metric, toTitle((words[index] ?? []).slice(Math.max(0, shared)).join(" "))]),
    ),
  };
}

function toTitle(text: string): string {
  const words = escapeControls(text.replaceAll("_", " "));
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const LABEL_NAMES: Readonly<Record<string, string>> = {
  fueltech: "fuel technology",
  fueltech_group: "fuel",
  facility_code: "facility",
  [UNIT_LABEL]: "unit",
};

/** `Average day of wind power in Queensland, by year`. `metrics`: as a title. */
export function composeTitle({ lead, about }: SubjectName, metrics: string): string {
  const words = lead === "" ? metrics : metrics.slice(0, 1).toLowerCase() + metrics.slice(1);
  return toTitle(lead + words) + about;
}

/** What stands in place of the time. */
const ANALYSIS_LEADS = {
  day: "Average day",
  week: "Average week",
  year: "Average year",
  share: "Duration curve",
} as const;

type TitlePart = "fuel" | "of" | "place" | "other";

/** What a picture is of, from what all its series have in common, and from filters that no label mentions. */
export function nameSubject(
  timeSeries: readonly TimeSeries[],
  { query, units, rawNames = false, analysis }: Pick<Subject, "query" | "units" | "rawNames" | "analysis">,
): SubjectName {
  const sources = timeSeries.flatMap((item) => item.series.map((series) => ({ item, series })));
  const network = query?.network ?? timeSeries[0]?.network;
  const compared = analysis?.isComparison ? PERIOD_LABEL : undefined;
  const varying = findVaryingLabels(sources).filter((label) => label !== compared);
  const nameOfUnit = createUnitNamer(units, listShown(sources));
  const named: Namer = (label, code) => (rawNames ? undefined : (nameCode(label, code) ?? nameOfUnit(label, code)));
  const constant: readonly NamedLabel[] = listOrderedLabels(sources)
    .filter((label) => !varying.includes(label) && label !== compared)
    .map((label) => [label, findLabel((sources[0] as FuelSource).series, label)] as const)
    .filter(([, value]) => value !== network)
    .map(([label, value]) => ({ label, name: named(label, String(value)) ?? nameLabel(label, value) }));
  const used = new Set(sources.flatMap(({ series }) => Object.values(series.labels).map(String)));
  const filters: readonly NamedLabel[] = [...constant, ...nameFilters(query, used, named)];
  const known = new Set([...filters, ...varying.map((label) => ({ label }))].map(({ label }) => titlePartOf(label)));
  const isNamed = filters.some(({ isCount, label }) => !isCount && titlePartOf(label) === "of");
  const facts = nameFacts({ query, units, sources, mostRegions: isNamed ? 1 : MAX_NAMED }, named);
  const all = [...filters, ...facts.filter(({ label }) => !known.has(titlePartOf(label)))];
  const list = (part: TitlePart, isOf = (_label: string) => true) =>
    all.filter(({ label }) => titlePartOf(label) === part && isOf(label)).map(({ name }) => escapeControls(name));
  const after = (word: string, names: readonly string[]) =>
    names.length === 0 ? "" : ` ${word} ${formatList(names, "and")}`;
  const place = after("in", list("place"));
  // A unit, then its facility.
  const owners = [list("of", (label) => label === UNIT_LABEL), list("of", (label) => label !== UNIT_LABEL)];
  const ofAll = owners.flatMap((names) => (names.length === 0 ? [] : [formatList(names, "and")])).join(", ");
  const of = ofAll !== "" && (isNamed || place === "") ? ` of ${ofAll}` : "";
  const isYearly = analysis?.axis === "year" && analysis.periods?.of.endsWith("year");
  const through = isYearly ? " through the year" : "";
  const nameOf = (label: string) => {
    if (label === PERIOD_LABEL && analysis?.periods) return analysis.periods.of;
    return !rawNames && Object.hasOwn(LABEL_NAMES, label) ? (LABEL_NAMES[label] as string) : label.replaceAll("_", " ");
  };
  const by = after("by", varying.map(nameOf).map(escapeControls));
  const comma = by !== "" && of + place + through !== "" ? "," : "";
  const fuels = list("fuel").map((name) => (rawNames ? name : name.slice(0, 1).toLowerCase() + name.slice(1)));
  const lead = [
    analysis?.axis && !isYearly ? `${ANALYSIS_LEADS[analysis.axis]} of ` : "",
    fuels.length === 0 ? "" : `${formatList(fuels, "and")} `,
  ].join("");
  const others = [...list("other"), ...describeTransforms(query ?? {})].map((name) => `, ${name}`);
  return { lead, about: [of, place, through, comma, by, ...others].join("") };
}

/** The part of a title that a label belongs to. */
function titlePartOf(label: string): TitlePart {
  if (isFuelLabel(label)) return "fuel";
  if (isRegion(label)) return "place";
  return label === "facility_code" || label === UNIT_LABEL ? "of" : "other";
}

interface NamedLabel {
  readonly label: string;
  readonly name: string;
  /** True if the name says how many there are. */
  readonly isCount?: boolean;
}

/** The fueltech that all units have, and their regions if these are few, as the list of units says. */
function nameFacts(
  {
    query,
    units,
    sources,
    mostRegions,
  }: Pick<Subject, "query" | "units"> & { readonly sources: readonly FuelSource[]; readonly mostRegions: number },
  nameOf: Namer,
): NamedLabel[] {
  const shown = sources.map(({ series }) => String(findLabel(series, UNIT_LABEL)));
  const facts = (query?.units?.map(({ unit }) => unit) ?? shown).map((code) => units?.get(code));
  return (["fueltech", "region"] as const).flatMap((label) => {
    const values = [...new Set(facts.map((fact) => fact?.[label]))];
    const isNamed = values.length > 0 && values.length <= (label === "region" ? mostRegions : 1);
    return isNamed
      ? values.flatMap((value) => (value === undefined ? [] : [{ label, name: nameOf(label, value) ?? value }]))
      : [];
  });
}

/**
 * Parameters that filter a query without adding labels to the responses: the label that each is about, and what it
 * counts.
 */
const FILTERS: Readonly<Record<string, { readonly label: string; readonly many: string }>> = {
  network_region: { label: "region", many: "regions" },
  fueltech: { label: "fueltech", many: "fueltechs" },
  fueltech_group: { label: "fueltech_group", many: "fueltech groups" },
  facility_code: { label: "facility_code", many: "facilities" },
  unit_code: { label: "unit_code", many: "units" },
};
/** More values are only counted. */
const MAX_NAMED = 3;

/** Names the filters that no label mentions. */
function nameFilters(query: Query | undefined, used: ReadonlySet<string>, nameOf: Namer): NamedLabel[] {
  return (query?.parameters ?? []).flatMap(({ name, values }) => {
    const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (!filter || values.some((value) => used.has(value))) return [];
    const { label, many } = filter;
    // Units are sent with the codes of their facilities.
    if (label === UNIT_LABEL && query?.parameters.some((other) => other.name === "facility_code")) return [];
    if (values.length > MAX_NAMED) return [{ label, name: `${values.length} ${many}`, isCount: true }];
    return values.map((value) => ({ label, name: nameOf(label, value) ?? value }));
  });
}

/** `NEM, 18 to 20 Nov 2026, hourly, UTC+10:00, synthetic data` */
export function describeSubject(
  timeSeries: readonly TimeSeries[],
  { time, zone, query, isSynthetic, analysis, asOf }: Subject & Pick<Picture, "time">,
): string {
  const network = query?.network ?? timeSeries[0]?.network;
  const interval = timeSeries[0]?.fields["interval"] ?? query?.interval;
  const parts = [
    network,
    time.other ? analysis?.about : describeDrawnPeriod(timeSeries, time),
    typeof interval === "string" ? describeInterval(interval) : undefined,
    time.other ? undefined : describeZone(zone, timeSeries),
    asOf === undefined ? undefined : `as of ${formatMinute(time.toWallClock(asOf))}`,
    isSynthetic ? "synthetic data" : undefined,
  ];
  return escapeControls(parts.filter((part) => part !== undefined && part !== "").join(", "));
}

function describeDrawnPeriod(
  timeSeries: readonly TimeSeries[],
  { toWallClock, interval }: TimeAxis,
): string | undefined {
  const instants = timeSeries.flatMap(({ series }) =>
    series.flatMap(({ points }) => [points.instants[0], points.instants.at(-1)]),
  );
  const [start, end] = extent(instants, (instant) => instant);
  return start === undefined ? undefined : describePeriod(toWallClock(start), toWallClock(end), interval);
}

function describeZone(zone: Zone, timeSeries: readonly TimeSeries[]): string {
  const [first] = timeSeries;
  if (zone === NETWORK_ZONE) return first ? `UTC${formatOffset(findClockOffset(first))}` : "";
  return zone.name === "utc" ? "UTC" : `${nameZone(zone)} time`;
}
