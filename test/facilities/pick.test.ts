/** Which units the flags pick: those that match, whatever the order of the list. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Facility, Unit } from "../../src/facilities/facility.ts";
import { type Picks, pickUnits } from "../../src/facilities/pick.ts";
import { draws } from "../support/extent.ts";

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const regions = fc.constantFrom("SA1", "VIC1", "WEM");
const fueltechs = fc.constantFrom("wind", "solar_utility", "coal_black");
const statuses = fc.constantFrom("operating", "retired");
const facilityCodes = fc.constantFrom("ALPHA", "BETA", "GAMMA", "DELTA", "W/HOE");
const unitCodes = fc.stringMatching(/^[A-D][1-9]$/);

const units: fc.Arbitrary<Unit> = fc.record({
  code: unitCodes,
  fueltech: maybe(fueltechs),
  status: maybe(statuses),
  capacity: fc.constant(undefined),
  capacityMaximum: fc.constant(undefined),
  storage: fc.constant(undefined),
  firstData: fc.constant(undefined),
  lastData: fc.constant(undefined),
  facts: fc.constant({}),
  isLoad: fc.constant(false),
});
const lists: fc.Arbitrary<Facility[]> = fc.uniqueArray(
  fc.record({
    code: facilityCodes,
    name: fc.constantFrom("Alpha Hill", "Beta", "Gamma"),
    network: fc.constantFrom("NEM", "WEM"),
    region: maybe(regions),
    units: fc.uniqueArray(units, { maxLength: 4, selector: ({ code }) => code }),
  }),
  { maxLength: 6, selector: ({ code }) => code },
);
const some = (values: fc.Arbitrary<string>) =>
  fc.option(fc.array(values, { minLength: 1, maxLength: 3 }), { nil: undefined, freq: 2 });
const cased = (values: fc.Arbitrary<string>) =>
  fc.tuple(values, fc.boolean()).map(([text, isUpper]) => (isUpper ? text.toUpperCase() : text));
const picks: fc.Arbitrary<Picks> = fc.record({
  network: fc.constantFrom("NEM", "WEM"),
  networkRegion: some(cased(regions)),
  fueltech: some(cased(fueltechs)),
  status: some(cased(statuses)),
  facilityCode: some(facilityCodes),
  unitCode: some(unitCodes),
});

const codesOf = (facilities: readonly Facility[], wanted: Picks) =>
  pickUnits(facilities, wanted).units.map(({ facility, unit }) => `${facility.code} ${unit.code}`);

test("they are the network's units that every flag allows, by code", () => {
  const isIn = (values: readonly string[] | undefined, value: string | undefined) =>
    values === undefined || values.some((one) => one.toLowerCase() === value?.toLowerCase());
  fc.assert(
    fc.property(lists, picks, (facilities, wanted) => {
      const expected = facilities.flatMap(({ code, network, region, units: all }) =>
        all
          .filter(
            (unit) =>
              network === wanted.network &&
              isIn(wanted.networkRegion, region) &&
              isIn(wanted.fueltech, unit.fueltech) &&
              isIn(wanted.status, unit.status) &&
              isIn(wanted.facilityCode, code) &&
              isIn(wanted.unitCode, unit.code),
          )
          .map((unit) => `${code} ${unit.code}`),
      );
      expect(codesOf(facilities, wanted)).toEqual(expected.sort());
    }),
    { numRuns: draws(200, 2000) },
  );
});

test("the order of the list and its units does not matter", () => {
  fc.assert(
    fc.property(lists, picks, (facilities, wanted) => {
      const turned = facilities.map((one) => ({ ...one, units: one.units.toReversed() })).reverse();
      expect(codesOf(turned, wanted)).toEqual(codesOf(facilities, wanted));
    }),
    { numRuns: draws(100, 1000) },
  );
});

test("a value is reported as matching nothing only if it matches nothing by itself", () => {
  fc.assert(
    fc.property(lists, picks, (facilities, { network, ...wanted }) => {
      const expected = Object.entries(wanted).flatMap(([key, values]) =>
        (values ?? [])
          .filter((value) => pickUnits(facilities, { network, [key]: [value] }).units.length === 0)
          .map((value) => `${key} ${value}`),
      );
      const told = pickUnits(facilities, { network, ...wanted }).unmatched.map(({ key, value }) => `${key} ${value}`);
      expect(told.sort()).toEqual(expected.sort());
    }),
    { numRuns: draws(50, 500) },
  );
});

describe("by text", () => {
  const unit = (code: string, fueltech: string) =>
    ({ code, fueltech, status: "operating", isLoad: false, facts: {} }) as Unit;
  const facility = (code: string, name: string, ...all: Unit[]): Facility => ({
    code,
    name,
    network: "NEM",
    region: "SA1",
    units: all,
  });
  const LIST = [
    facility("HORNSDALE", "Hornsdale", unit("HDWF1", "wind")),
    facility("HPR", "Hornsdale Power Reserve", unit("HPRG1", "battery_discharging"), unit("HPRL1", "battery_charging")),
    facility("LGAPWF", "Lincoln Gap", unit("LGAPWF1", "wind")),
    facility("W/HOE", "Wivenhoe", unit("W/HOE#1", "hydro")),
    facility("LONSDALE", "Lonsdale", unit("LONSDALE", "distillate")),
    facility("LATER", "HDWF1 Later", unit("LATER1", "wind")),
  ];

  test.each<[texts: string[], units: string[]]>([
    [["hornsdale"], ["HDWF1"]],
    [["hornsdale power reserve"], ["HPRG1", "HPRL1"]],
    [["hornsdale power"], ["HPRG1", "HPRL1"]],
    [["hornsdal"], ["HDWF1", "HPRG1", "HPRL1"]],
    [["hornsdsle"], ["HDWF1", "HPRG1", "HPRL1"]],
    [
      ["power", "lincoln"],
      ["HPRG1", "HPRL1", "LGAPWF1"],
    ],
    [["lincoln hornsdale"], []],
    [["HPR"], ["HPRG1", "HPRL1"]],
    [["HDWF1"], ["HDWF1"]],
    [["hdwf1"], ["HDWF1"]],
    [["hprg1"], ["HPRG1", "HPRL1"]],
    [["hpr"], ["HPRG1", "HPRL1"]],
    [["wivenho"], ["W/HOE#1"]],
  ])("%j", (texts, expected) => {
    expect(pickUnits(LIST, { network: "NEM", facility: texts }).units.map((one) => one.unit.code)).toEqual(expected);
  });

  test("narrowed by another flag", () => {
    const found = pickUnits(LIST, { network: "NEM", facility: ["hornsdale"], fueltech: ["wind"] });
    expect(found.units.map((one) => one.unit.code)).toEqual(["HDWF1"]);
  });

  test.each<[what: string, picks: Partial<Picks>, others: string[]]>([
    ["a whole name that is the start of others", { facility: ["hornsdale"] }, ["HPR"]],
    ["beside a text that picks those", { facility: ["hornsdale", "reserve"] }, []],
    ["where another flag leaves them out", { facility: ["hornsdale"], fueltech: ["wind"] }, []],
    ["a code", { facility: ["HORNSDALE"] }, []],
    ["a code in another case that another name has", { facility: ["hdwf1"] }, ["LATER"]],
    ["a part of a name", { facility: ["hornsdal"] }, []],
  ])("other matches are listed: %s", (_what, wanted, others) => {
    const { namesakes } = pickUnits(LIST, { network: "NEM", ...wanted });
    expect(namesakes.flatMap((one) => one.others).map(({ code }) => code)).toEqual(others);
  });

  test("another flag does not change its meaning, nor make an existing name a typo", () => {
    const list = [
      ...LIST,
      { ...facility("TARONG", "Tarong", unit("TARONG1", "coal_black")), region: "QLD1" },
      facility("TERANG", "Terang", unit("T1", "wind")),
    ];
    const wanted = { network: "NEM", facility: ["tarong"], networkRegion: ["SA1"] };
    expect(pickUnits(list, wanted)).toEqual({ units: [], unmatched: [], guesses: [], namesakes: [], named: [list[6]] });
  });

  test("a typo is reported with its correction", () => {
    const { unmatched, guesses } = pickUnits(LIST, { network: "NEM", facility: ["hornsdsle", "wivenhoe"] });
    expect(unmatched).toEqual([]);
    expect(guesses).toEqual([{ text: "hornsdsle", facilities: [LIST[0], LIST[1]] }]);
  });

  test("an exact code wins over one in another case", () => {
    const list = [
      facility("alpha", "One", unit("A1", "wind")),
      facility("BETA", "Two", unit("ALPHA", "wind"), unit("a1", "wind")),
    ];
    const pick = (text: string) =>
      pickUnits(list, { network: "NEM", facility: [text] }).units.map((one) => one.facility.code);
    expect([pick("alpha"), pick("ALPHA"), pick("A1"), pick("a1")]).toEqual([
      ["alpha"],
      ["BETA", "BETA"],
      ["alpha"],
      ["BETA", "BETA"],
    ]);
    expect(pick("Alpha")).toEqual(["alpha"]);
  });

  test.each<[texts: string[], together: string[] | undefined]>([
    [["lincoln", "gap"], ["lincoln gap"]],
    [
      ["lincoln", "gap", "hornsdale"],
      ["lincoln gap", "hornsdale"],
    ],
    [
      ["wivenhoe", "hornsdale", "power", "reserve"],
      ["wivenhoe", "hornsdale power reserve"],
    ],
    [
      ["lincoln gap", "power", "reserve"],
      ["lincoln gap", "power reserve"],
    ],
    [["lincon", "gap"], ["lincon gap"]],
    [["hornsdale", "wivenhoe"], undefined],
    [["HORNSDALE", "HPR"], undefined],
    [["hprg1", "hprl1"], undefined],
    [["lincoln gap"], undefined],
  ])("adjacent words that match together: %j", (texts, together) => {
    expect(pickUnits(LIST, { network: "NEM", facility: texts }).together).toEqual(together);
  });

  test("a name in another network is not a typo", () => {
    const west = { ...facility("NORTHAM", "Northam", unit("N1", "wind")), network: "WEM" };
    const list = [...LIST, west, facility("HORSHAM", "Horsham", unit("H1", "wind"))];
    const pick = (text: string) => pickUnits(list, { network: "WEM", facility: [text] });
    expect(pick("horsham")).toMatchObject({
      units: [],
      guesses: [],
      unmatched: [{ value: "horsham", elsewhere: [{ code: "HORSHAM" }] }],
    });
    expect(pick("northan")).toMatchObject({ guesses: [{ text: "northan", facilities: [west] }], unmatched: [] });
  });

  test("the most similar names", () => {
    expect(pickUnits(LIST, { network: "NEM", facility: ["lincolm gip"] }).unmatched).toEqual([
      { key: "facility", value: "lincolm gip", nearest: ["Lincoln Gap"], elsewhere: [] },
    ]);
  });

  test("AU consists of the other networks", () => {
    expect(pickUnits(LIST, { network: "AU", fueltech: ["wind"] }).units).toHaveLength(3);
    expect(pickUnits(LIST, { network: "WEM", fueltech: ["wind"] }).units).toHaveLength(0);
  });
});
