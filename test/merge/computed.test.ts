/**
 * What ents computes equals a plain computation of the parts that it prints, however the window and the codes are
 * divided.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Computation, FleetUnit } from "../../src/query/computation.ts";
import type { Query } from "../../src/query/query.ts";
import { draws } from "../support/extent.ts";
import { intervals } from "../unit/generators.ts";
import { type Case, casesOf, seeds } from "./cases.ts";
import { intervalAround } from "./model-intervals.ts";
import { NOW, runPieces, runWhole, serve } from "./harness.ts";

const UNITS = { energy: "MWh", emissions: "t", market_value: "$" };
const PARTS = Object.keys(UNITS);
const FUELTECHS = [
  "wind",
  "coal_black",
  "solar_rooftop",
  "solar_utility",
  "battery",
  "battery_charging",
  "battery_discharging",
  "pumps",
];

const byFueltech = casesOf({
  metrics: PARTS,
  labels: fc.record({ region: fc.constantFrom("NSW1", "SA1"), fueltech: fc.constantFrom(...FUELTECHS) }),
  repeats: [1],
  most: 20,
});

const byUnit = casesOf(
  {
    metrics: PARTS,
    labels: fc.record({ unit_code: fc.constantFrom("W1", "W2", "C1", "BN", "BL", "BG", "X9") }),
    repeats: [1],
    most: 21,
    isDense: true,
  },
  // Of a season, a service has no single start, and the model none of its hours.
  intervals.filter((interval) => interval !== "season"),
);

/** The value of each cell that is printed, by timestamp, metric and labels. */
type Printed = ReadonlyMap<string, string>;

function keyOf(...parts: readonly string[]): string {
  return parts.join("|");
}

/** `csv`: long, where no cell needs quotes. */
function readCells(csv: string): Printed {
  const [, ...lines] = csv.trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const [timestamp = "", network, metric = "", , ...rest] = line.split(",");
      expect(network).not.toBe(undefined);
      return [keyOf(timestamp, metric, ...rest.slice(0, -1)), rest.at(-1) ?? ""];
    }),
  );
}

async function print(
  { model, query, limits, ...options }: Case,
  seed: number,
  way: "whole" | "pieces",
): Promise<Printed> {
  const own = { ...model, units: UNITS };
  const { text } =
    way === "whole"
      ? await runWhole(query, serve(own, { seed, plain: true }), ["csv", "long"])
      : await runPieces({ ...options, query, output: ["csv", "long"], send: serve(own, { limits, seed }) });
  return readCells(text);
}

function withMetrics(query: Query, metrics: readonly string[], computation?: Partial<Computation>): Query {
  const parameters = query.parameters.map((parameter) =>
    parameter.name === "metrics" ? { ...parameter, values: PARTS } : parameter,
  );
  const full = computation && { metrics: [], shared: "energy" as const, capacity: "maximum" as const, ...computation };
  return { ...query, metrics, parameters, ...(full ? { computation: full } : {}) };
}

/** The model writes two decimals. */
function addUp(texts: readonly (string | undefined)[]): number | undefined {
  const cents = texts.flatMap((text) => (text ? BigInt(text.replace(/\.(\d\d)$/, "$1")) : []));
  return cents.length === 0 ? undefined : Number(`${cents.reduce((sum, value) => sum + value, 0n)}e-2`);
}

function ratioOf(over: number | undefined, under: number | undefined, factor: number): string {
  return over === undefined || under === undefined || !(under > 0) ? "" : String((factor * over) / under);
}

const LOADS = ["battery_charging", "pumps"];
const HALVES = ["battery_charging", "battery_discharging"];
const GROUPS: Readonly<Record<string, string>> = { coal_black: "coal", solar_rooftop: "solar", solar_utility: "solar" };
const RENEWABLES = ["wind", "solar_rooftop", "solar_utility"];
const NEAR = 2 * 3_600_000;

/** What fueltechs are added up to; undefined for each alone. */
type Summed = Computation["summed"];

const RULES: Readonly<Record<string, { readonly over: string; readonly factor: number }>> = {
  emissions_intensity: { over: "emissions", factor: 1000 },
  average_price: { over: "market_value", factor: 1 },
  share: { over: "energy", factor: 100 },
};

function groupOf(fueltech: string, summed: Summed): string[] {
  if (summed === "network") return [];
  if (summed === "renewable") return [String(RENEWABLES.includes(fueltech))];
  return [summed === undefined ? fueltech : (GROUPS[fueltech] ?? fueltech)];
}

/** A metric of one region in one interval, by group, from the values of its fueltechs. */
function computeByHand(
  { metric, summed, isLate }: { readonly metric: string; readonly summed: Summed; readonly isLate: boolean },
  textOf: (part: string, fueltech: string) => string | undefined,
): [group: string[], value: string][] {
  const { over, factor } = RULES[metric] as (typeof RULES)[string];
  const isHere = (fueltech: string) => [over, "energy"].some((part) => textOf(part, fueltech) !== undefined);
  const hasHalf = HALVES.some((half) => Boolean(textOf("energy", half)));
  const partsOf = (fueltech: string) => {
    const [above, energy] = [textOf(over, fueltech) || undefined, textOf("energy", fueltech) || undefined];
    const isStorage = fueltech === "battery" || fueltech === "battery_discharging";
    const known = metric === "emissions_intensity" && isStorage && energy ? (above ?? "0") : above;
    return fueltech === "battery" && energy?.startsWith("-") ? [known && "0", "0"] : [known, energy];
  };
  const counts = (fueltech: string) => (fueltech === "battery" ? !hasHalf : !LOADS.includes(fueltech));
  const whole = addUp(FUELTECHS.filter(counts).map((fueltech) => partsOf(fueltech)[1]));
  const groups = new Map<string, string[]>();
  for (const fueltech of FUELTECHS.filter(isHere)) {
    const key = JSON.stringify(groupOf(fueltech, summed));
    groups.set(key, [...(groups.get(key) ?? []), fueltech]);
  }
  return Array.from(groups, ([key, own]): [string[], string] => {
    const group = JSON.parse(key) as string[];
    const isLoad =
      (summed === undefined || summed === "fueltech_group") && own.every((fueltech) => LOADS.includes(fueltech));
    const counted = isLoad && metric === "average_price" ? own : own.filter(counts);
    const hasRooftop = summed !== undefined && JSON.stringify(groupOf("solar_rooftop", summed)) === key;
    if (counted.length === 0 || (isLate && (metric === "share" || hasRooftop))) return [group, ""];
    const parts = counted.map(partsOf).filter((values) => metric !== "average_price" || !values.includes(undefined));
    const under = metric === "share" ? whole : addUp(parts.map(([, energy]) => energy));
    const ratio = ratioOf(addUp(parts.map(([above]) => above)), under, factor);
    return [group, metric === "share" && Number(ratio) > 100 ? "100" : ratio];
  });
}

/** The same of all regions and intervals. */
function computeAllByHand(
  parts: Printed,
  interval: string,
  computed: { readonly metric: string; readonly summed: Summed },
): Printed {
  const places = new Set(
    [...parts.keys()].map((key) => JSON.stringify(key.split("|").filter((_, index) => index === 0 || index === 2))),
  );
  const isShort = interval.endsWith("m") || interval.endsWith("h");
  const rooftop = [...parts].filter(
    ([key, value]) => key.includes("|energy|") && key.endsWith("|solar_rooftop") && value !== "",
  );
  const times = rooftop.map(([key]) => ({ at: Date.parse(key.split("|")[0] as string), region: key.split("|")[2] }));
  return new Map(
    [...places].flatMap((place) => {
      const [timestamp, region] = JSON.parse(place) as [string, string];
      const at = Date.parse(timestamp);
      const textOf = (part: string, fueltech: string) => parts.get(keyOf(timestamp, part, region, fueltech));
      const isNear = times.some((one) => one.region === region && Math.abs(one.at - at) <= NEAR);
      const rows = computeByHand(
        { ...computed, isLate: isShort && !textOf("energy", "solar_rooftop") && isNear },
        textOf,
      );
      return rows.map(([group, value]) => [keyOf(timestamp, computed.metric, region, ...group), value] as const);
    }),
  );
}

function expectSame(found: Printed, expected: Iterable<readonly [string, string]>): void {
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
}

/** Where the service does not show whether it fills gaps, a null may be missing in the pieces: no value is. */
function valuesOf(printed: Printed): [string, string][] {
  return [...printed].filter(([, value]) => value !== "");
}

test.each<readonly [summed: Summed, metrics: readonly Computation["metrics"][number][]]>([
  [undefined, ["share", "average_price", "emissions_intensity"]],
  ["fueltech_group", ["share", "average_price", "emissions_intensity"]],
  ["renewable", ["share", "average_price", "emissions_intensity"]],
  ["network", ["average_price", "emissions_intensity"]],
])("computed metrics by %s are as documented", async (summed, metrics) => {
  expect.hasAssertions();
  const expectSums = async (drawn: Case, seed: number) => {
    const parts = await print({ ...drawn, query: withMetrics(drawn.query, PARTS) }, seed, "whole");
    const expected = metrics.flatMap((metric) => [
      ...computeAllByHand(parts, drawn.model.interval, { metric, summed }),
    ]);
    const query = withMetrics(drawn.query, metrics, { metrics, summed });
    // A row without a point in any part is in none of them.
    expectSame(await print({ ...drawn, query }, seed, "whole"), expected);
    const pieces = await print({ ...drawn, query }, seed + 1, "pieces");
    expectSame(new Map(valuesOf(pieces)), valuesOf(new Map(expected)));
  };
  await fc.assert(fc.asyncProperty(byFueltech, seeds, expectSums), { numRuns: draws(20, 400) });
});

const KINDS: readonly (readonly [code: string, facility: string, fueltech: string])[] = [
  ["W1", "W", "wind"],
  ["W2", "W", "wind"],
  ["C1", "C", "coal_black"],
  ["BN", "B", "battery"],
  ["BL", "B", "battery_charging"],
  ["BG", "B", "battery_discharging"],
];
const HOUR = 3_600_000;

/** Lifetimes in thousandths of the window; undefined for a unit without data so far. */
const lifetimes = fc.tuple(
  ...KINDS.map(() =>
    fc.record({
      first: fc.option(fc.integer({ min: -500, max: 900 }), { nil: undefined, freq: 10 }),
      last: fc.integer({ min: 0, max: 1500 }),
      isRetired: fc.boolean(),
      capacity: fc.constantFrom(undefined, 50, 120.5, 300),
    }),
  ),
);

type Lifetimes = typeof lifetimes extends fc.Arbitrary<infer T> ? T : never;

function createUnits({ query, model }: Case, lives: Lifetimes): FleetUnit[] {
  const { start = 0, end = 0 } = query.window;
  const offset = { "+10:00": 10, "+08:00": 8, "+09:30": 9.5 }[model.offset] as number;
  const toInstant = (share: number) =>
    Math.round((start + (share / 1000) * (end - start)) / 300_000) * 300_000 - offset * HOUR;
  return KINDS.map(([code, facility, fueltech], index): FleetUnit => {
    const { first, last, ...rest } = lives[index] as Lifetimes[number];
    const labels = { facility_code: facility, fueltech, region: facility === "W" ? "SA1" : "NSW1", status: null };
    const ends = { first: first === undefined ? undefined : toInstant(first), last: toInstant(last) };
    return { code, labels, fueltech, isLoad: code === "BL", ...ends, ...rest };
  });
}

describe("units added up", () => {
  test("are the exact sums of what is printed unit by unit, without a value where a unit lacks one; capacity factors are of the same", async () => {
    expect.hasAssertions();
    const expectSums = async (
      drawn: Case,
      lives: Lifetimes,
      [seed, group]: readonly [number, "facility" | "region" | "network"],
    ) => {
      // An interval that is under way has fewer hours.
      fc.pre((drawn.query.window.end ?? 0) < NOW - 400 * 24 * HOUR);
      const units = createUnits(drawn, lives);
      const parts = await print({ ...drawn, query: withMetrics(drawn.query, PARTS) }, seed, "whole");
      const fleet = { units: new Map(units.map((unit) => [unit.code, unit])), requested: units, receivedAt: 0 };
      const metrics = ["energy", "market_value", "capacity_factor", "emissions_intensity"];
      const query = withMetrics(drawn.query, metrics, {
        metrics: ["capacity_factor", "emissions_intensity"],
        groups: [group],
        fleet,
      });
      const labelOf = (code: string): string => {
        if (group === "network") return "";
        const unit = fleet.units.get(code);
        return `${group === "region" ? (unit?.labels.region ?? "") : (unit?.labels.facility_code ?? "")}`;
      };
      const expected = new Map<string, string>();
      const keys = [...parts.keys()].map((key) => key.split("|") as [string, string, string]);
      const rows = new Set(keys.map(([timestamp, metric, code]) => JSON.stringify([timestamp, metric, labelOf(code)])));
      const plain = { units, parts, drawn };
      for (const [timestamp, metric, own] of [...rows].map((row) => JSON.parse(row) as [string, string, string])) {
        const codes = [...KINDS.map(([code]) => code), "X9"].filter((code) => labelOf(code) === own);
        const named = own === "" && group === "network" ? [] : [own];
        const sums = addUnits(plain, { timestamp, codes, metric });
        if (metric !== "emissions") expected.set(keyOf(timestamp, metric, ...named), sums.text);
        if (metric === "energy") expected.set(keyOf(timestamp, "capacity_factor", ...named), sums.factor);
        if (metric !== "market_value") expected.set(keyOf(timestamp, "emissions_intensity", ...named), sums.intensity);
      }
      const round = (printed: Iterable<readonly [string, string]>) =>
        new Map(Array.from(printed, ([key, text]) => [key, text === "" ? "" : String(Number(text))] as const));
      expectSame(round(await print({ ...drawn, query }, seed, "whole")), round(expected));
      const pieces = await print({ ...drawn, query }, seed + 1, "pieces");
      expectSame(round(valuesOf(pieces)), round([...expected].filter(([, value]) => value !== "")));
    };
    const drawn = fc.tuple(seeds, fc.constantFrom("facility" as const, "region" as const, "network" as const));
    await fc.assert(fc.asyncProperty(byUnit, lifetimes, drawn, expectSums), { numRuns: draws(30, 600) });
  });
});

interface Plain {
  readonly units: readonly FleetUnit[];
  readonly parts: Printed;
  readonly drawn: Case;
}

/** The sum of a group at one timestamp, and what is computed of what generates. */
function addUnits(
  { units, parts, drawn }: Plain,
  {
    timestamp,
    codes,
    metric,
  }: { readonly timestamp: string; readonly codes: readonly string[]; readonly metric: string },
): { readonly text: string; readonly factor: string; readonly intensity: string } {
  const { query } = drawn;
  const at = Date.parse(timestamp);
  const offset = Number(drawn.model.offset.slice(1, 3)) * HOUR + Number(drawn.model.offset.slice(4)) * 60_000;
  const [from, until] = spanOf(drawn, at + offset).map((local) => local - offset) as [number, number];
  const exists = ({ first, last = 0, isRetired }: FleetUnit) =>
    first !== undefined && first < until && !(isRetired && last <= from);
  const find = (code: string) => units.find((unit) => unit.code === code);
  const valueOf = (name: string, code: string) => parts.get(keyOf(timestamp, name, code)) || undefined;
  const hasHalves = ["BL", "BG"].every((code) => exists(find(code) as FleetUnit));
  const counted = codes.filter((code) => code !== "BN" || !hasHalves);
  const lacks = (code: string, value: string | undefined) =>
    value === undefined && find(code) !== undefined && exists(find(code) as FleetUnit);
  const signed = counted.map((code) =>
    valueOf(metric, code)?.replace(/^-?/, (sign) => (code !== "BL" ? sign : sign ? "" : "-")),
  );
  const sum = counted.some((code) => lacks(code, valueOf(metric, code))) ? undefined : addUp(signed);
  // What is discharged generates; of a net alone, what is above zero.
  const generating = counted.filter((code) => code !== "BL");
  const isBelow = (code: string) => code === "BN" && valueOf("energy", code)?.startsWith("-") === true;
  const energies = generating.map((code) => (isBelow(code) ? "0" : valueOf("energy", code)));
  const emissions = generating.map((code, index) => {
    const known = valueOf("emissions", code) ?? (code.startsWith("B") && energies[index] ? "0" : undefined);
    return known && isBelow(code) ? "0" : known;
  });
  const lacksAny = (values: readonly (string | undefined)[]) =>
    generating.some((code, index) => lacks(code, values[index]));
  const energy = lacksAny(energies) ? undefined : addUp(energies);
  const measured = generating.filter(
    (code, index) => energies[index] !== undefined || (find(code) && exists(find(code) as FleetUnit)),
  );
  const hours = measured.toSorted().map((code) => {
    const unit = find(code);
    if (unit?.capacity === undefined) return Number.NaN;
    const { start = 0, end = 0 } = query.window;
    const last = Math.ceil((end + 1) / 300_000) * 300_000 - offset;
    const [a, b] = [
      Math.max(from, start - offset, unit.first ?? from),
      Math.min(until, last, unit.isRetired ? (unit.last ?? until) : until),
    ];
    return (unit.capacity * Math.max(0, b - a)) / HOUR;
  });
  const capacity = hours.reduce((total, own) => total + own, 0);
  return {
    text: sum === undefined ? "" : String(sum),
    factor: energy !== undefined && capacity > 0 ? String((100 * energy) / capacity) : "",
    intensity: lacksAny(emissions) ? "" : ratioOf(addUp(emissions), energy, 1000),
  };
}

/** The time from one interval to the next, in network time. */
function spanOf({ model: { interval } }: Case, local: number): readonly [number, number] {
  return intervalAround(interval, local);
}
