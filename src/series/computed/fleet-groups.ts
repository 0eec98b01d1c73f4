/** The units of a query in groups: those that are added up, or each for itself. */
import { groupBy } from "../../base/group-by.ts";
import { BATTERY } from "../../base/fueltechs.ts";
import { listGroupLabels, UNIT_LABEL, type UnitGroup } from "../../base/vocabulary.ts";
import type { Fleet, FleetUnit } from "../../query/computation.ts";
import { findLabel, type Labels, type Series, type TimeSeries } from "../time-series.ts";
import { type AlignedPoints, alignPoints } from "./align.ts";
import { isDecimal } from "./decimals.ts";
import type { FindSpans, Span } from "./spans.ts";

/** The series of one metric that belong together. */
export interface SeriesGroup {
  readonly labels: Labels;
  readonly members: readonly Member[];
  /** The units of the query that belong to it, with a series or not. */
  readonly units: readonly FleetUnit[];
  /** True if a unit of it generates: then those that take energy count negative. */
  readonly hasGenerator: boolean;
}

interface Member {
  readonly series: Series;
  /** Undefined for a unit that is not in the list. */
  readonly unit: FleetUnit | undefined;
}

/** The units of a group that count in one interval. */
export interface GroupStep {
  readonly at: AlignedPoints;
  readonly spans: readonly Span[];
  readonly counted: readonly CountedUnit[];
  /** The unit that existed and has no value, if there is one. */
  readonly lacking: FleetUnit | undefined;
}

export interface CountedUnit {
  readonly unit: FleetUnit | undefined;
  /** JSON text of a number. */
  readonly value: string | undefined;
}

export class FleetGroups {
  readonly #fleet: Fleet;
  readonly #groups: readonly UnitGroup[] | undefined;
  readonly #requested: ReadonlyMap<string, readonly FleetUnit[]>;

  /** Without `groups`, each unit is a group of its own. */
  constructor(fleet: Fleet, groups: readonly UnitGroup[] | undefined) {
    this.#fleet = fleet;
    this.#groups = groups;
    this.#requested = groupBy(fleet.requested, (unit) => JSON.stringify(this.#labelsOf(unit, unit.code)));
  }

  /** The fueltech of all units with these labels; storage with charging and discharging is the net of a battery. */
  fuelOf(labels: Labels): string | undefined {
    const units = this.#requested.get(JSON.stringify(labels)) ?? [];
    const fuels = [...new Set(units.map(({ fueltech }) => fueltech))];
    if (fuels.length === 1) return fuels[0];
    return fuels.length > 1 && fuels.every((fuel) => fuel?.startsWith(BATTERY.net)) ? BATTERY.net : undefined;
  }

  group(item: TimeSeries): SeriesGroup[] {
    const all = item.series.map((series): Member => ({ series, unit: this.#fleet.units.get(String(findLabel(series, UNIT_LABEL))) }));
    const groups = groupBy(all, ({ series, unit }) => JSON.stringify(this.#labelsOf(unit, findLabel(series, UNIT_LABEL))));
    return Array.from(groups, ([key, own]): SeriesGroup => {
      const units = this.#requested.get(key) ?? [];
      // Sums of doubles depend on the order, and services change theirs.
      const members = own.toSorted((a, b) => compareCodes(a.unit?.code, b.unit?.code));
      const hasGenerator = own.some(({ unit }) => unit === undefined) || units.some(({ isLoad }) => !isLoad);
      return { labels: JSON.parse(key) as Labels, members, units, hasGenerator };
    });
  }

  /** A unit that is in no list has no labels. */
  #labelsOf(unit: FleetUnit | undefined, code: unknown): Labels {
    if (!this.#groups) return { [UNIT_LABEL]: String(code) };
    return Object.fromEntries(listGroupLabels(this.#groups).map((name) => [name, unit?.labels[name] ?? null]));
  }
}

/** Steps through the intervals of a group. */
export function* walkGroup({ members, units }: SeriesGroup, findSpans: FindSpans): Generator<GroupStep> {
  const [own, requested] = [new Set(members.map(({ unit }) => unit)), new Set(units)];
  const silent = units.filter((unit) => !own.has(unit));
  const byFacility = groupBy(units, ({ labels }) => labels.facility_code);
  const isCounted = (unit: FleetUnit, spans: readonly Span[]) => !isNet(unit, byFacility.get(unit.labels.facility_code) ?? [], spans);
  for (const at of alignPoints(members.map(({ series }) => series.points))) {
    const spans = findSpans(at.instant);
    const counted: CountedUnit[] = [];
    let lacking: FleetUnit | undefined;
    for (const [index, { unit }] of members.entries()) {
      if (unit && !isCounted(unit, spans)) continue;
      const value = at.values[index];
      const isNumber = typeof value === "string" && isDecimal(value);
      if (!isNumber && unit && requested.has(unit) && exists(unit, spans)) lacking ??= unit;
      counted.push({ unit, value: isNumber ? value : undefined });
    }
    lacking ??= silent.find((unit) => exists(unit, spans) && isCounted(unit, spans));
    yield { at, spans, counted, lacking };
  }
}

/** True for the net of a battery whose charging and discharging are among the units of its facility, too. */
function isNet({ fueltech }: FleetUnit, units: readonly FleetUnit[], spans: readonly Span[]): boolean {
  const has = (half: string) => units.some((unit) => unit.fueltech === half && exists(unit, spans));
  return fueltech === BATTERY.net && has(BATTERY.charging) && has(BATTERY.discharging);
}

function compareCodes(one = "", other = ""): number {
  return one < other ? -1 : Number(one > other);
}

/** True from the first value of a unit on; only retired units end, at their last. Of a unit without these times, nothing is known. */
export function exists({ first, last, isRetired }: FleetUnit, spans: readonly Span[]): boolean {
  const [[from], [, until]] = [spans[0] as Span, spans.at(-1) as Span];
  return first !== undefined && first < until && (!isRetired || (last ?? from) > from);
}
