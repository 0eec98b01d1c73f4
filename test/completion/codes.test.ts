/** Codes of facilities and units come from the stored list; TAB never sends a request. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Facility, Unit } from "../../src/facilities/facility.ts";
import { describeProcess } from "../../src/main/process-context.ts";
import { storedCodes } from "../../src/facility-list/stored-codes.ts";
import { createHome } from "../support/run-ents.ts";
import { answer, tab } from "./tab.ts";

const PUBLIC = "https://api.openelectricity.org.au/";

function unit(code: string, fueltech: string, facts: Partial<Unit> = {}): Unit {
  return {
    code,
    fueltech,
    status: "operating",
    capacity: "100",
    capacityMaximum: undefined,
    storage: undefined,
    firstData: undefined,
    lastData: undefined,
    facts: {},
    isLoad: false,
    ...facts,
  };
}

function facility(code: string, region: string, units: readonly Unit[]): Facility {
  return { code, name: `${code} station`, network: region === "WEM" ? "WEM" : "NEM", region, units };
}

const FACILITIES = [
  facility("WATER", "SA1", [
    unit("WATER1", "wind"),
    unit("WATER2", "battery_charging", { isLoad: true, capacity: "30" }),
  ]),
  facility("BAYSW", "NSW1", [
    unit("BW01", "coal_black", { capacity: "660" }),
    unit("BW02", "coal_black", { capacity: "660" }),
  ]),
  facility("OLD", "NSW1", [unit("OLD1", "coal_black", { status: "retired", capacity: undefined })]),
  facility("WEST", "WEM", [unit("W/HOE#1", "hydro")]),
];

/** Stores the list of a service. */
async function keep(service = PUBLIC, facilities: readonly Facility[] = FACILITIES) {
  const home = createHome();
  const env = { ENTS_CACHE_DIR: home.path("cache"), ENTS_CONFIG_DIR: home.configFolder };
  await storedCodes.store(
    service,
    { receivedAt: 0, facilities },
    { env, cwd: home.folder, process: describeProcess() },
  );
  return { cwd: home.folder, env };
}

const kept = await keep();

test.each<[line: string, offered: readonly string[]]>([
  ["ents facilities NEM --facility-code ", ["BAYSW", "OLD", "WATER"]],
  ["ents facilities WEM --facility-code ", ["WEST"]],
  ["ents facilities AU --facility-code ", ["BAYSW", "OLD", "WATER", "WEST"]],
  ["ents facilities XYZ --facility-code ", []],
  ["ents facilities --facility-code W", ["WATER", "WEST"]],
  ["ents facilities NEM --facility-code BAYSW ", ["OLD", "WATER"]],
  ["ents facilities NEM --facility-code BAYSW,W", ["BAYSW,WATER"]],
  ["ents facilities NEM --unit-code ", ["BW01", "BW02", "OLD1", "WATER1", "WATER2"]],
  ["ents facilities NEM --facility-code WATER --unit-code ", ["WATER1", "WATER2"]],
  ["ents facilities WEM --unit-code=W/", ["--unit-code=W/HOE#1"]],
  ["ents list facilities -r NSW1 -q ", ["BAYSW", "OLD"]],
  ["ents list facilities -r NSW1 SA1 --status operating -- ", ["BAYSW", "WATER"]],
  ["ents list units --fueltech coal_black --status retired -- ", ["OLD1"]],
  [
    "ents facilities NEM --sandbox -r SA1 --fueltech wind --facility-code ",
    ["CATHROCK", "HORNSDALE", "LGAPWF", "SNOWSTH", "SNOWTWN"],
  ],
])("%s", async (line, offered) => {
  expect(await tab(line, kept)).toEqual(offered);
});

test("come with name, region, fueltechs and generating capacity", async () => {
  expect(await answer(["fish", "", "facilities", "NEM", "--facility-code"], kept)).toEqual([
    "BAYSW\tBAYSW station, NSW1, coal_black, 1320 MW",
    "OLD\tOLD station, NSW1, coal_black",
    "WATER\tWATER station, SA1, wind, battery_charging, 100 MW",
  ]);
  expect(await answer(["fish", "WATER2", "facilities", "NEM", "--unit-code"], kept)).toContain(
    "WATER2\tWATER station, SA1, battery_charging, 30 MW",
  );
});

const other = await keep("http://localhost:8080/");

describe("the list is that of the service in use", () => {
  const LINE = "ents facilities NEM --facility-code B";

  test.each([
    ["by --base-url", "ents facilities NEM --base-url http://localhost:8080/v4/ --facility-code B", {}],
    ["by --base-url after it", "ents facilities NEM --base-url=http://localhost:8080 --facility-code B", {}],
    ["by ENTS_BASE_URL", LINE, { ENTS_BASE_URL: "http://localhost:8080" }],
  ])("%s", async (_, line, env) => {
    expect(await tab(line, { ...other, env: { ...other.env, ...env } })).toEqual(["BAYSW"]);
  });

  test("set in the config file", async () => {
    mkdirSync(other.env.ENTS_CONFIG_DIR, { recursive: true });
    const file = join(other.env.ENTS_CONFIG_DIR, "config.json");
    writeFileSync(file, JSON.stringify({ config: { "base-url": "http://localhost:8080" } }));
    expect(await tab(LINE, other)).toEqual(["BAYSW"]);
    for (const damaged of ["{", "null", '{"config": 1}']) {
      writeFileSync(file, damaged);
      expect(await tab(LINE, other)).toEqual([]);
    }
  });

  test("not that of another service", async () => {
    expect(await tab(LINE, { ...other, env: { ...other.env, ENTS_BASE_URL: "http://localhost:9090" } })).toEqual([]);
    expect(await tab(LINE, { ...kept, env: { ...kept.env, ENTS_BASE_URL: "http://localhost:8080" } })).toEqual([]);
  });
});

test("a code with control characters is not offered; those in a name are shown as text", async () => {
  const place = await keep(PUBLIC, [
    { ...facility("BAD\u001b[31m", "SA1", [unit("BAD\n1", "wind")]), name: "x" },
    { ...facility("GOOD", "SA1", [unit("GOOD1", "wind")]), name: "two\nlines\u202e, a\ttab" },
  ]);
  expect(await answer(["fish", "", "facilities", "NEM", "--facility-code"], place)).toEqual([
    "GOOD\ttwo\\u000alines\\u202e, a\\u0009tab, SA1, wind, 100 MW",
  ]);
  expect(await tab("ents facilities NEM --unit-code ", place)).toEqual(["GOOD1"]);
});
