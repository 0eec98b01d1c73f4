/** Codes that were asked for and that nothing came for. */
import { describe, expect, test } from "vitest";
import { envelope, HOUR, TOKEN } from "../e2e/envelopes.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { FACILITIES, POWER, startUnitService } from "./unit-service.ts";

const asked = (flags: string) => [...POWER, ...flags.split(" ")];

interface Setting {
  readonly isKept?: boolean;
  readonly silent?: readonly string[];
}

/** What is told of codes. */
async function warnFor(flags: string, { isKept = true, silent = ["HDWF9"] }: Setting = {}): Promise<string[]> {
  const [service, home] = [await startUnitService(FACILITIES, { silent }), createHome()];
  if (isKept) await service.run(home, ["list", "facilities"]);
  const { code, stderr } = await service.run(home, asked(flags));
  expect([code, service.countLists()]).toEqual([0, isKept ? 1 : 0]);
  return stderr.split("\n").filter((line) => line.startsWith("ents: warning: no data came"));
}

const told = (what: string) => [`ents: warning: no data came for ${what}`];

describe("with a kept list", () => {
  test.each<[flags: string, warnings: string[]]>([
    ["--facility-code HORNSDALE HPR", []],
    ["--facility-code HORNSDALE ARWF ALBANY", []],
    ["--facility-code HORNSDALE HORNSDLE", told("facility code HORNSDLE")],
    ["--facility-code ARWF HPRX HPRY", told("facility codes HPRX and HPRY")],
    ["--facility-code ARWF HPR --unit-code ARWF1", told("facility code HPR")],
    ["--facility-code HORNSDALE --unit-code HDWF1 HDWF9 HDWF7", told("unit codes HDWF9 and HDWF7")],
    ["--facility-code ARWF --unit-code ARWF1 HPRG1", told("unit code HPRG1")],
  ])("%s", async (flags, warnings) => {
    expect(await warnFor(flags)).toEqual(warnings);
  });

  test("a facility all of whose units are silent", async () => {
    expect(await warnFor("--facility-code HORNSDALE W/HOE", { silent: ["W/HOE#1", "W/HOE#2"] })).toEqual(told("facility code W/HOE"));
    expect(await warnFor("--facility-code HORNSDALE W/HOE", { silent: ["W/HOE#1"] })).toEqual([]);
  });

  test("of more than ten, their number", async () => {
    const codes = Array.from({ length: 12 }, (_, index) => `X${index}`);
    const [warning] = await warnFor(`--facility-code ARWF ${codes.join(" ")}`);
    expect(warning).toBe(`ents: warning: no data came for facility codes ${codes.slice(0, 10).join(", ")} and 2 more`);
  });
});

test("what another flag leaves out is not missing", async () => {
  expect(await warnFor("--facility-code ARWF HPR --fueltech wind")).toEqual([]);
});

test("without a list, unit codes alone are told", async () => {
  expect(await warnFor("--facility-code HORNSDALE HPRX --unit-code HDWF1 HDWF7", { isKept: false })).toEqual(told("unit code HDWF7"));
});

test("with the sandbox, by its own list", async () => {
  const { stderr } = await createHome().run([...asked("--facility-code BAYSW BAYSX"), "--sandbox"]);
  expect(stderr).toContain("ents: warning: no data came for facility code BAYSX\n");
});

test("where nothing came at all, that is told, and where series have no label, nothing", async () => {
  expect(await warnFor("--facility-code HPRX HPRY")).toEqual([]);
  const service = await startService(() => ({ body: envelope([{ series: [{ points: HOUR }] }]) }));
  const { code, stderr } = await createHome().run(asked("--unit-code HDWF1 HDWF7"), {
    env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("a unit that the list does not know may be of any facility", async () => {
  const service = await startUnitService(FACILITIES);
  const home = createHome();
  await service.run(home, ["list", "facilities"]);
  service.relist([...FACILITIES, { code: "NEW", name: "New", network_id: "NEM", units: [{ code: "NEW1" }] }]);
  const { stderr } = await service.run(home, asked("--facility-code ARWF NEW OLD HPR --unit-code NEW1 ARWF1"));
  expect(stderr).not.toContain("no data came");
});

test("an update, which has the newest of each series alone, says nothing", async () => {
  const [service, home] = [await startUnitService(FACILITIES, { silent: ["HDWF9"] }), createHome()];
  const update = "facilities NEM -m power -i 1h -s 2024-12-01 --facility-code HORNSDALE --unit-code HDWF1 HDWF9 -o h.csv --update".split(
    " ",
  );
  const first = await service.run(home, update);
  const next = await service.run(home, update);
  expect([first.stderr.includes("no data came"), next.stderr.includes("no data came")]).toEqual([true, false]);
});
