/** Codes in several batches give the same result as one request with all of them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listRequests, planQuery } from "../../src/plan/plan.ts";
import type { Query } from "../../src/query/query.ts";
import { FIVE_MINUTES, STEP } from "./model-intervals.ts";
import { limitOf, outputs, queryFor, seeds } from "./cases.ts";
import type { ModelSeries, ServiceModel } from "./fake-service.ts";
import { type OutputKind, runPieces, runWhole, serve, shuffle, createRandom } from "./harness.ts";
import { draws } from "../support/extent.ts";

const START = Date.UTC(2025, 2, 1);

interface Fleet {
  readonly units: number;
  /** The length of the window, and of the longest request, in five-minute steps. */
  readonly steps: number;
  readonly limit: number;
  readonly inclusiveEnd: boolean;
  readonly seed: number;
}

const fleets: fc.Arbitrary<Fleet> = fc.record({
  units: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(30, 31, 60, 61, 95)),
  steps: fc.integer({ min: 0, max: 12 }),
  limit: fc.integer({ min: 1, max: 12 }),
  inclusiveEnd: fc.boolean(),
  seed: seeds,
});

/** Units that come and go; some have no data at all. */
function buildModel({ units, steps, inclusiveEnd, seed }: Fleet, more: Partial<ServiceModel>): ServiceModel {
  const random = createRandom(seed);
  const stepOf = (bucket: number) => (START + bucket * FIVE_MINUTES) / STEP;
  const series = Array.from({ length: units }, (_, unit) => unit).flatMap((unit) =>
    ["power", "energy"].map((metric): ModelSeries => {
      const ends = [random(), random()]
        .map((share) => Math.round((share * 1.4 - 0.2) * steps))
        .toSorted((a, b) => a - b) as [number, number];
      const labels = { unit_code: `U${unit}` };
      return {
        metric,
        labels,
        present: [[stepOf(ends[0]), stepOf(ends[1])]],
        nulls: [],
        base: unit,
        slope: 1,
        repeats: 1,
      };
    }),
  );
  const frame = { network: "NEM", offset: "+10:00", interval: "5m", timestamps: "offset" } as const;
  return {
    ...frame,
    series,
    inclusiveEnd,
    edges: ["date_start", "date_end"],
    edgesOf: "item",
    namesEmpty: false,
    repeatsApart: false,
    noData: 404,
    ...more,
  };
}

/** Asks for the units in any order. */
function buildQuery(model: ServiceModel, { units, steps, seed }: Fleet): Query {
  const query = queryFor(model, { start: START, end: START + steps * FIVE_MINUTES }, ["power", "energy"]);
  const codes = Array.from({ length: units }, (_, unit) => `U${unit}`);
  const parameters = [...query.parameters, { name: "unit_code", values: shuffle(codes, createRandom(seed + 1)) }];
  return { ...query, command: "facilities", parameters };
}

describe("batches of codes equal the one request", () => {
  async function expectWhole(
    fleet: Fleet,
    output: OutputKind,
    vary: (fleet: Fleet) => Partial<ServiceModel>,
  ): Promise<void> {
    const model = buildModel(fleet, vary(fleet));
    const query = buildQuery(model, fleet);
    const maxWindow = limitOf("5m", fleet.limit);
    const whole = await runWhole(query, serve(model, { seed: fleet.seed, plain: true }), output);
    const pieces = await runPieces({ query, output, maxWindow, send: serve(model, { seed: fleet.seed + 1 }) });
    expect(pieces.text).toBe(whole.text);
    const expected = /output does not identify units|^rows without a value may be missing/;
    expect(pieces.warnings.filter((text) => !expected.test(text))).toEqual([]);
  }

  test("with any number of units, in any number of windows", async () => {
    const asIs = fc.constant(() => ({}));
    await fc.assert(fc.asyncProperty(fleets, outputs, asIs, expectWhole), { numRuns: draws(6, 60) });
  });

  test("even if the service gives one series for all units, with each timestamp once per unit", async () => {
    const joined = fc.constant((fleet: Fleet) => ({ joinsUnits: true, series: listInOrder(fleet) }));
    await fc.assert(fc.asyncProperty(fleets, outputs, joined, expectWhole), { numRuns: draws(4, 40) });
  });

  test("and are as many as windows times batches of 30", () => {
    fc.assert(
      fc.property(fleets, (fleet) => {
        const query = buildQuery(buildModel(fleet, {}), fleet);
        const plan = planQuery(query, { now: START, maxWindow: limitOf("5m", fleet.limit) });
        expect(listRequests(plan)).toHaveLength(plan.windows.length * Math.ceil(fleet.units / 30));
      }),
    );
  });

  test("a gap at a split, in any batch: one request of that batch shows whether the service fills it", async () => {
    const check = async (fleet: Fleet, unit: number, fillsGaps: boolean) => {
      const stepOf = (bucket: number) => (START + bucket * FIVE_MINUTES) / STEP;
      const whole = [[stepOf(0), stepOf(12)]] as const;
      const [code, cut] = [
        `U${unit % fleet.units}`,
        [[stepOf(0), stepOf(5)] as const, [stepOf(7), stepOf(12)] as const],
      ];
      const model = buildModel({ ...fleet, steps: 12 }, { fillsGaps });
      const series = model.series.map((one) => ({ ...one, present: one.labels["unit_code"] === code ? cut : whole }));
      const query = buildQuery(model, { ...fleet, steps: 12 });
      const send = serve({ ...model, series }, { seed: fleet.seed });
      const looks: string[] = [];
      const watched: typeof send = (request, signal) => {
        if (/date_end=[^&]*%3A(?:[0-5][49])%3A59/.test(request.path)) looks.push(request.path);
        return send(request, signal);
      };
      const single = await runWhole(query, serve({ ...model, series }, { seed: fleet.seed, plain: true }), [
        "csv",
        "long",
      ]);
      const pieces = await runPieces({ query, output: ["csv", "long"], maxWindow: limitOf("5m", 6), send: watched });
      expect(pieces).toMatchObject({ text: single.text, warnings: [] });
      expect(looks.map((path) => new URLSearchParams(path).getAll("unit_code").includes(code))).toEqual([true]);
    };
    await fc.assert(fc.asyncProperty(fleets, fc.nat(200), fc.boolean(), check), { numRuns: draws(6, 100) });
  });

  /** The units in the order asked, in which such a service names them. */
  function listInOrder(fleet: Fleet): ModelSeries[] {
    const model = buildModel(fleet, {});
    const { parameters } = buildQuery(model, fleet);
    const codes = parameters.find(({ name }) => name === "unit_code")?.values ?? [];
    const rank = ({ labels }: ModelSeries) => codes.indexOf(String(labels["unit_code"]));
    return model.series.toSorted((a, b) => rank(a) - rank(b));
  }
});
