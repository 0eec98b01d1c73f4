/** The rows that a query prints, the series that each is made of, and which of them count in an interval. */
import { groupBy } from "../../base/group-by.ts";
import { BATTERY, groupOf, isFuelLabel, isRenewable, type Role, roleOf, ROOFTOP } from "../../base/fueltechs.ts";
import { listGroupLabels, UNIT_LABEL } from "../../base/vocabulary.ts";
import type { FleetUnit } from "../../query/computation.ts";
import type { ComputedQuery } from "../../query/query.ts";
import { NO_POINTS, type Points } from "../points.ts";
import {
  findFuel,
  findLabel,
  keyOfRow,
  type Label,
  type Labels,
  type Series,
  type TimeSeries,
} from "../time-series.ts";
import { type AlignedPoints, alignPoints } from "./align.ts";
import { isDecimal } from "./decimals.ts";
import { createSpans, type InstantSpan } from "./spans.ts";

/** The series of one network with the same labels: one for each part of a metric. */
export interface Member {
  /** Of the first part that there is. */
  readonly item: TimeSeries;
  readonly series: Series;
  /** One more for each that a service sends again with the same labels. */
  readonly copy: number;
  readonly parts: readonly Points[];
  readonly fuel: unknown;
  readonly role: Role;
  /** Undefined for what is no unit of the list. */
  readonly unit: FleetUnit | undefined;
  /** Those of its row. */
  readonly labels: Labels;
}

/** What is printed as one series. */
interface ComputedRow {
  readonly labels: Labels;
  readonly members: readonly Member[];
  /** The units of the query that belong to it, with a series or not. */
  readonly units: ReadonlySet<FleetUnit>;
  /** Those without a series. */
  readonly silent: readonly FleetUnit[];
  /** True if all of it takes energy. */
  readonly isLoad: boolean;
  /** True if rooftop solar is one of several fueltechs that are added up. */
  readonly hasRooftop: boolean;
}

/** Rows of one network, and of one region, facility or unit. */
export interface Whole {
  readonly rows: readonly ComputedRow[];
}

export interface Counted {
  readonly member: Member;
  /** By part: JSON text of a number. */
  readonly values: readonly (string | undefined)[];
}

/** One interval of a row. */
export interface RowStep {
  readonly row: ComputedRow;
  readonly at: AlignedPoints;
  readonly spans: readonly InstantSpan[];
  /** What generates, or in a row of loads, takes energy; for sums, both. */
  readonly counted: readonly Counted[];
  /** A unit that existed and has no value. */
  readonly missing: FleetUnit | undefined;
  /** All rows of the whole that have this interval. */
  readonly whole: readonly RowStep[];
}

/** Finds the rows of a query. */
export class Rows {
  readonly #query: ComputedQuery;
  readonly #units: ReadonlyMap<string, readonly FleetUnit[]>;

  constructor(query: ComputedQuery) {
    this.#query = query;
    const { fleet } = query.computation;
    this.#units = groupBy(fleet?.requested ?? [], (unit) =>
      JSON.stringify(this.#labelsOf({ [UNIT_LABEL]: unit.code }, unit)),
    );
  }

  /** The rows that are made of series of these metrics. */
  find(timeSeries: readonly TimeSeries[], metrics: readonly string[]): Whole[] {
    const { groups, summed } = this.#query.computation;
    const members = this.#pair(timeSeries, metrics);
    const isAdded = groups !== undefined || summed !== undefined;
    const wholes = groupBy(members, ({ item, labels }) =>
      keyOfRow(item, { labels: groups ? labels : withoutFuel(labels) }),
    );
    return Array.from(wholes.values(), (all) => ({
      rows: Array.from(
        groupBy(all, ({ labels, copy }) => JSON.stringify(isAdded ? labels : [labels, copy])).values(),
        (own) => this.#createRow(own),
      ),
    }));
  }

  #pair(timeSeries: readonly TimeSeries[], metrics: readonly string[]): Member[] {
    const { fleet } = this.#query.computation;
    const members = new Map<string, Member & { parts: Points[] }>();
    for (const [part, metric] of metrics.entries()) {
      const copies = new Map<string, number>();
      for (const item of timeSeries.filter((one) => one.metric === metric)) {
        for (const series of item.series) {
          const key = keyOfRow(item, series);
          const copy = copies.get(key) ?? 0;
          copies.set(key, copy + 1);
          const unit = fleet?.units.get(String(findLabel(series, UNIT_LABEL)));
          const fuel = findFuel(series) ?? unit?.fueltech;
          const role = unit?.isLoad ? "load" : roleOf(fuel);
          const made = {
            item,
            series,
            copy,
            fuel,
            role,
            unit,
            labels: this.#labelsOf(series.labels, unit),
            parts: metrics.map(() => NO_POINTS),
          };
          const member = members.get(`${key}${copy}`) ?? made;
          member.parts[part] = series.points;
          members.set(`${key}${copy}`, member);
        }
      }
    }
    return [...members.values()];
  }

  /** A unit that is in no list has no labels of the list. */
  #labelsOf(labels: Labels, unit: FleetUnit | undefined): Labels {
    const { groups, summed } = this.#query.computation;
    if (groups) return Object.fromEntries(listGroupLabels(groups).map((name) => [name, unit?.labels[name] ?? null]));
    const others = withoutFuel(labels);
    if (summed === "network") return others;
    return summed !== undefined && Object.hasOwn(labels, "fueltech")
      ? { ...others, [summed]: SUMMED[summed](labels["fueltech"]) }
      : labels;
  }

  #createRow(own: readonly Member[]): ComputedRow {
    const { groups, summed } = this.#query.computation;
    const [{ labels }] = own as [Member];
    const units = this.#units.get(JSON.stringify(labels)) ?? [];
    const isMixed = summed === "network" || summed === "renewable";
    return {
      labels,
      units: new Set(units),
      silent: units.filter((unit) => !own.some((member) => member.unit === unit)),
      // Sums of doubles depend on the order, and services change theirs.
      members: groups ? own.toSorted((a, b) => compareCodes(a.unit?.code, b.unit?.code)) : own,
      // Of a whole, others may come in other responses.
      isLoad: !isMixed && own.every(({ role }) => role === "load") && units.every(({ isLoad }) => isLoad),
      hasRooftop:
        summed !== undefined && haveSameLabels(labels, this.#labelsOf({ ...labels, fueltech: ROOFTOP }, undefined)),
    };
  }
}

/** What a fueltech is added up to. */
const SUMMED: Readonly<Record<"fueltech_group" | "renewable", (fueltech: unknown) => Label>> = {
  fueltech_group: groupOf,
  renewable: isRenewable,
};

/** Labels without those that divide a whole into rows. */
function withoutFuel(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !isFuelLabel(name)));
}

function haveSameLabels(one: Labels, other: Labels): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function compareCodes(one = "", other = ""): number {
  return one < other ? -1 : Number(one > other);
}

/** True for what a battery has beside its net. */
function isHalf(fuel: unknown): boolean {
  return fuel === BATTERY.charging || fuel === BATTERY.discharging;
}

export interface WalkOptions {
  readonly query: ComputedQuery;
  /** True to count loads beside what generates, and nets as they are. */
  readonly isSum?: boolean;
  /** Called with a battery that has a net alone. */
  readonly onNet?: (net: Member) => void;
  /** Adds values that are known without a service. */
  readonly fill?: ((values: Counted["values"], member: Member) => Counted["values"]) | undefined;
}

/** Steps through the intervals of rows, and through the rows that have a point in each. */
export function* walkComputedRows({ rows }: Whole, options: WalkOptions): Generator<RowStep> {
  const { query, isSum = false } = options;
  const all = rows.flatMap(({ members }) => members);
  const [{ item, parts }] = all as [Member];
  const findSpans = createSpans(item, query);
  const halves = isSum ? [] : all.flatMap(({ fuel }, index) => (isHalf(fuel) ? [(index + 1) * parts.length - 1] : []));
  const hasUnits = rows.some(({ units }) => units.size > 0);
  const facilities = groupBy(
    isSum ? rows.flatMap(({ units }) => [...units]) : (query.computation.fleet?.requested ?? []),
    facilityOf,
  );
  for (const at of alignPoints(all.flatMap((member) => member.parts))) {
    const spans = hasUnits ? findSpans(at.instant) : [];
    const hasHalf = halves.some((index) => isNumber(at.values[index]));
    // The net of a battery, beside what it charges and discharges.
    const isDouble = (unit: FleetUnit | undefined) =>
      unit ? hasHalves(facilities.get(facilityOf(unit)) ?? [], spans) : hasHalf;
    const counts = (row: ComputedRow, { role, unit }: Pick<Member, "role" | "unit">) =>
      role === "net" ? !isDouble(unit) : isSum || (role === "load") === row.isLoad;
    let first = 0;
    const steps: RowStep[] = [];
    for (const row of rows) {
      const own = row.members.map((): SentValues => at.values.slice(first, (first += parts.length)));
      if (own.every((values) => values.every((value) => value === undefined))) continue;
      const counted = row.members.flatMap((member, index) =>
        counts(row, member) ? { member, values: readCountedValues(own[index] as SentValues, member, options) } : [],
      );
      const missing = hasUnits ? findMissingUnit({ row, spans, counted }, counts) : undefined;
      steps.push({ row, at, spans, counted, missing, whole: steps });
    }
    yield* steps;
  }
}

type SentValues = readonly (string | null | undefined)[];

function isNumber(value: SentValues[number]): value is string {
  return typeof value === "string" && isDecimal(value);
}

/** What a battery with a net alone gives is what is above zero of its last part, which is energy or power. */
function readCountedValues(
  sent: SentValues,
  member: Member,
  { isSum = false, fill, onNet }: WalkOptions,
): Counted["values"] {
  const numbers = sent.map((value) => (isNumber(value) ? value : undefined));
  const values = fill?.(numbers, member) ?? numbers;
  if (isSum || member.role !== "net") return values;
  onNet?.(member);
  return values.at(-1)?.startsWith("-") ? values.map((value) => value && "0") : values;
}

/** A unit of a row that existed and has not all values. */
function findMissingUnit(
  { row, spans, counted }: Pick<RowStep, "row" | "spans" | "counted">,
  counts: (row: ComputedRow, member: Pick<Member, "role" | "unit">) => boolean,
): FleetUnit | undefined {
  const lacks = ({ member: { unit }, values }: Counted) =>
    unit && row.units.has(unit) && values.includes(undefined) && isOperating(unit, spans);
  const isMissing = (unit: FleetUnit) =>
    isOperating(unit, spans) && counts(row, { role: unit.isLoad ? "load" : roleOf(unit.fueltech), unit });
  return counted.find(lacks)?.member.unit ?? row.silent.find(isMissing);
}

function facilityOf({ labels }: FleetUnit): string | null {
  return labels.facility_code;
}

function hasHalves(units: readonly FleetUnit[], spans: readonly InstantSpan[]): boolean {
  const has = (half: string) => units.some((unit) => unit.fueltech === half && isOperating(unit, spans));
  return has(BATTERY.charging) && has(BATTERY.discharging);
}

/**
 * True from the first value of a unit on; only retired units end, at their last. Of a unit without these times, nothing
 * is known.
 */
export function isOperating({ first, last, isRetired }: FleetUnit, spans: readonly InstantSpan[]): boolean {
  const [[from], [, until]] = [spans[0] as InstantSpan, spans.at(-1) as InstantSpan];
  return first !== undefined && first < until && (!isRetired || (last ?? from) > from);
}
