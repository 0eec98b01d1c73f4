/** What ents computes equals a plain computation of the parts that it prints, however the window and the codes are divided. */
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
const FUELTECHS = ["wind", "coal_black", "battery", "battery_charging", "battery_discharging", "pumps"];

const byFueltech = casesOf({
  metrics: PARTS,
  labels: fc.record({ region: fc.constantFrom("NSW1", "SA1"), fueltech: fc.constantFrom(...FUELTECHS) }),
  repeats: [1],
  most: 14,
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

async function print({ model, query, limits, ...options }: Case, seed: number, way: "whole" | "pieces"): Promise<Printed> {
  const own = { ...model, units: UNITS };
  const { text } =
    way === "whole"
      ? await runWhole(query, serve(own, { seed, plain: true }), ["csv", "long"])
      : await runPieces({ ...options, query, output: ["csv", "long"], send: serve(own, { limits, seed }) });
  return readCells(text);
}

function withMetrics(query: Query, metrics: readonly string[], computation?: Partial<Computation>): Query {
  const parameters = query.parameters.map((parameter) => (parameter.name === "metrics" ? { ...parameter, values: PARTS } : parameter));
  const full = computation && { metrics: [], isTotal: false, shared: "energy" as const, capacity: "maximum" as const, ...computation };
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

function toNumber(text: string | undefined): number | undefined {
  return text ? Number(text) : undefined;
}

const GENERATING = ["wind", "coal_black", "battery_discharging"];

function expectSame(found: Printed, expected: Iterable<readonly [string, string]>): void {
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
}

/** Where the service does not show whether it fills gaps, a null may be missing in the pieces: no value is. */
function valuesOf(printed: Printed): [string, string][] {
  return [...printed].filter(([, value]) => value !== "");
}

describe("computed metrics", () => {
  test("of a fueltech are the ratios of the printed parts, and shares of what generates", async () => {
    const metrics = ["share", "energy", "average_price", "emissions", "emissions_intensity", "market_value"];
    const expectRatios = async (drawn: Case, seed: number) => {
      const query = withMetrics(drawn.query, metrics, { metrics: ["share", "average_price", "emissions_intensity"] });
      const whole = await print({ ...drawn, query }, seed, "whole");
      const rows = new Set([...whole.keys()].map((key) => key.split("|").toSpliced(1, 1).join("|")));
      const cell = (row: string, metric: string) => whole.get(row.split("|").toSpliced(1, 0, metric).join("|"));
      for (const row of rows) {
        const [timestamp, region, fueltech = ""] = row.split("|");
        const own = (metric: string) => toNumber(cell(row, metric));
        const isGenerating = GENERATING.includes(fueltech);
        const shared = addUp(GENERATING.map((fuel) => cell(keyOf(timestamp ?? "", region ?? "", fuel), "energy")));
        const hasIntensity = cell(row, "energy") !== undefined || cell(row, "emissions") !== undefined;
        const hasPrice = cell(row, "energy") !== undefined || cell(row, "market_value") !== undefined;
        expect([row, cell(row, "emissions_intensity"), cell(row, "average_price"), cell(row, "share")]).toEqual([
          row,
          hasIntensity ? (isGenerating ? ratioOf(own("emissions"), own("energy"), 1000) : "") : undefined,
          hasPrice ? (fueltech === "battery" ? "" : ratioOf(own("market_value"), own("energy"), 1)) : undefined,
          cell(row, "energy") === undefined ? undefined : isGenerating ? ratioOf(own("energy"), shared, 100) : "",
        ]);
      }
      const pieces = await print({ ...drawn, query }, seed + 1, "pieces");
      expectSame(new Map(valuesOf(pieces)), valuesOf(whole));
    };
    await fc.assert(fc.asyncProperty(byFueltech, seeds, expectRatios), { numRuns: draws(30, 600) });
  });

  test("of a region are the ratios of the exact sums over what generates", async () => {
    expect.hasAssertions();
    const expectTotals = async (drawn: Case, seed: number) => {
      const parts = await print({ ...drawn, query: withMetrics(drawn.query, PARTS) }, seed, "whole");
      const query = withMetrics(drawn.query, ["average_price", "emissions_intensity"], {
        metrics: ["average_price", "emissions_intensity"],
        isTotal: true,
      });
      const pairs = { average_price: ["market_value", 1], emissions_intensity: ["emissions", 1000] } as const;
      const expected = Object.entries(pairs).flatMap(([metric, [part, factor]]) => {
        const rows = [...parts.keys()].map((key) => key.split("|")).filter(([, name]) => name === part || name === "energy");
        return [...new Set(rows.map(([timestamp = "", , region = ""]) => keyOf(timestamp, region)))].map((row): [string, string] => {
          const [timestamp = "", region = ""] = row.split("|");
          const own = (name: string) => GENERATING.map((fueltech) => parts.get(keyOf(timestamp, name, region, fueltech)));
          const hasBoth = own(part).map((text, index) => Boolean(text) && Boolean(own("energy")[index]));
          const keep = (texts: readonly (string | undefined)[]) =>
            metric === "average_price" ? texts.filter((_, index) => hasBoth[index]) : texts;
          return [keyOf(timestamp, metric, region), ratioOf(addUp(keep(own(part))), addUp(keep(own("energy"))), factor)];
        });
      });
      expectSame(await print({ ...drawn, query }, seed, "whole"), expected);
      const pieces = await print({ ...drawn, query }, seed + 1, "pieces");
      expectSame(
        new Map(valuesOf(pieces)),
        expected.filter(([, value]) => value !== ""),
      );
    };
    await fc.assert(fc.asyncProperty(byFueltech, seeds, expectTotals), { numRuns: draws(30, 600) });
  });
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
  const toInstant = (share: number) => Math.round((start + (share / 1000) * (end - start)) / 300_000) * 300_000 - offset * HOUR;
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
    const expectSums = async (drawn: Case, lives: Lifetimes, [seed, group]: readonly [number, "facility" | "region" | "network"]) => {
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
      const groupOf = (code: string): string => {
        if (group === "network") return "";
        const unit = fleet.units.get(code);
        return `${group === "region" ? (unit?.labels.region ?? "") : (unit?.labels.facility_code ?? "")}`;
      };
      const expected = new Map<string, string>();
      const keys = [...parts.keys()].map((key) => key.split("|") as [string, string, string]);
      const rows = new Map(keys.map(([timestamp, metric, code]) => [JSON.stringify([timestamp, metric, groupOf(code)]), 0]));
      const plain = { units, parts, drawn };
      for (const [timestamp, metric, own] of [...rows.keys()].map((row) => JSON.parse(row) as [string, string, string])) {
        const codes = [...KINDS.map(([code]) => code), "X9"].filter((code) => groupOf(code) === own);
        const named = own === "" && group === "network" ? [] : [own];
        const sums = addUnits(plain, { timestamp, codes, metric });
        if (metric !== "emissions") expected.set(keyOf(timestamp, metric, ...named), sums.text);
        if (metric === "energy") expected.set(keyOf(timestamp, "capacity_factor", ...named), sums.factor);
        if (metric === "market_value") continue;
        const has = (name: string) => rows.has(JSON.stringify([timestamp, name, own]));
        const [over, under] = ["emissions", "energy"].map((name) =>
          has(name) ? toNumber(addUnits(plain, { timestamp, codes, metric: name }).text) : undefined,
        );
        const isNet = codes.every((code) => code.startsWith("B"));
        expected.set(keyOf(timestamp, "emissions_intensity", ...named), isNet ? "" : ratioOf(over, under, 1000));
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

/** The sum of a group at one timestamp, and its capacity factor. */
function addUnits(
  { units, parts, drawn }: Plain,
  { timestamp, codes, metric }: { readonly timestamp: string; readonly codes: readonly string[]; readonly metric: string },
): { readonly text: string; readonly factor: string } {
  const { query } = drawn;
  const at = Date.parse(timestamp);
  const offset = Number(drawn.model.offset.slice(1, 3)) * HOUR + Number(drawn.model.offset.slice(4)) * 60_000;
  const [from, until] = spanOf(drawn, at + offset).map((local) => local - offset) as [number, number];
  const exists = ({ first, last = 0, isRetired }: FleetUnit) => first !== undefined && first < until && !(isRetired && last <= from);
  const find = (code: string) => units.find((unit) => unit.code === code);
  const valueOf = (code: string) => parts.get(keyOf(timestamp, metric, code)) || undefined;
  const hasHalves = ["BL", "BG"].every((code) => codes.includes(code) && exists(find(code) as FleetUnit));
  const counted = codes.filter((code) => code !== "BN" || !hasHalves);
  const isWhole = counted.every((code) => !find(code) || valueOf(code) !== undefined || !exists(find(code) as FleetUnit));
  const signed = counted.map((code) => {
    const value = valueOf(code);
    return code === "BL" ? value?.replace(/^-?/, (sign) => (sign ? "" : "-")) : value;
  });
  const sum = addUp(signed);
  const energies = counted.map((code) => (code.startsWith("B") ? valueOf(code)?.replace("-", "") : valueOf(code)));
  const measured = counted.filter(
    (code) => code !== "BL" && (valueOf(code) !== undefined || (find(code) && exists(find(code) as FleetUnit))),
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
  const energy = addUp(energies);
  return {
    text: isWhole && sum !== undefined ? String(sum) : "",
    factor: isWhole && energy !== undefined && capacity > 0 ? String((100 * energy) / capacity) : "",
  };
}

/** The time from one interval to the next, in network time. */
function spanOf({ model: { interval } }: Case, local: number): readonly [number, number] {
  return intervalAround(interval, local);
}
