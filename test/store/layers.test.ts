/** Responses of one segment over each other: what stays, and for how long. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { listLayers, overlay } from "../../src/store/layers.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { HOUR } from "../../src/time/local-time.ts";

const FORM = { units: {}, labels: [] };
const at = (hours: number, form: object = FORM) => ({
  receivedAt: hours * HOUR,
  facts: { values: 1, form: { ...FORM, ...form } },
});

test("the newest two count, and those before as long as what the newer ones lack is not confirmed after six hours", () => {
  const count = (...hours: number[]) => listLayers(hours.map((one) => at(one))).length;
  expect([
    count(),
    count(9),
    count(9, 1),
    count(99, 98, 1),
    count(99, 95, 94, 1),
    count(99, 93, 1),
    count(99, 95, 92, 1),
  ]).toEqual([0, 1, 2, 3, 4, 2, 3]);
});

test("a newest response without any value is left out until one six hours after the first without confirms it", () => {
  const none = (hours: number) => ({ ...at(hours), facts: { ...at(hours).facts, values: 0 } });
  const list = (...layers: ReturnType<typeof at>[]) => listLayers(layers).map(({ receivedAt }) => receivedAt / HOUR);
  expect([list(none(9), at(8)), list(none(12), none(9), at(8)), list(none(15), none(9), at(8))]).toEqual([
    [8],
    [8],
    [15, 9],
  ]);
  expect([list(at(9), none(8), at(7)), list(none(9))]).toEqual([[9, 8, 7], [9]]);
});

test("a response of another unit, spelling, or kind of labels is not laid under", () => {
  const newest = { units: { power: "MW" }, spelling: "0Z", labels: ["NEM region"] };
  const others = [{ units: { power: "kW" } }, { spelling: "0+10:00" }, { labels: ["NEM fueltech"] }, {}];
  expect(others.map((other) => listLayers([at(9, newest), at(1, { ...newest, ...other })]).length)).toEqual([
    1, 1, 1, 2,
  ]);
});

test("a response in another form shows nothing about what is older", () => {
  const [mw, kw] = [{ units: { power: "MW" } }, { units: { power: "kW" } }];
  expect(
    listLayers([at(99, mw), at(98, kw), at(50, kw), at(1, mw)]).map(({ receivedAt }) => receivedAt / HOUR),
  ).toEqual([99, 1]);
});

/** By series: its points in order, an instant and a value or null. */
type Table = Readonly<Record<string, readonly (readonly [number, string | null])[]>>;

function toTimeSeries(table: Table): TimeSeries[] {
  const series = Object.entries(table).map(([region, points]) => ({
    fields: { name: region },
    labels: { region },
    points: {
      timestamps: points.map(([instant]) => String(instant)),
      instants: points.map(([instant]) => instant),
      values: points.map(([, value]) => value),
    },
  }));
  return series.length === 0 ? [] : [{ fields: {}, network: "NEM", metric: "power", unit: "MW", series }];
}

function list(timeSeries: readonly TimeSeries[]): Record<string, (readonly [number, string | null])[]> {
  const all = timeSeries.flatMap(({ series }) => series);
  return Object.fromEntries(
    all.map(({ labels, points }) => [
      String(labels["region"]),
      [...points.instants].map((instant, index) => [instant, points.values[index] ?? null] as const),
    ]),
  );
}

const points = fc
  .uniqueArray(fc.tuple(fc.nat(12), fc.option(fc.stringMatching(/^\d$/))), {
    selector: ([instant]) => instant,
    maxLength: 8,
  })
  .map((all) => all.toSorted(([a], [b]) => a - b));
const tables: fc.Arbitrary<Table> = fc.dictionary(fc.constantFrom("A", "B", "C"), points);

test("every point of the newer one stays, but for nulls where the older one has a value; what it lacks comes from the older one", () => {
  fc.assert(
    fc.property(tables, tables, (newer, older) => {
      const { timeSeries, held } = overlay(toTimeSeries(newer), toTimeSeries(older));
      const laid = list(timeSeries);
      let count = 0;
      for (const key of ["A", "B", "C"]) {
        const [was, is] = [older, newer].map((table) => new Map(table[key] ?? [])) as [
          Map<number, string | null>,
          Map<number, string | null>,
        ];
        const expected = [...new Set([...was.keys(), ...is.keys()])]
          .sort((a, b) => a - b)
          .flatMap((instant) => {
            const stays = (is.get(instant) ?? null) === null && (was.get(instant) ?? null) !== null;
            if (stays) count++;
            return stays || is.has(instant) ? [[instant, (stays ? was : is).get(instant)]] : [];
          });
        expect(laid[key] ?? []).toEqual(expected);
      }
      expect(held).toBe(count);
    }),
  );
});
