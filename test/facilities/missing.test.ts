/** Requested codes for which no data came. */
import { describe, expect, test } from "vitest";
import { envelope, HOUR, TOKEN } from "../e2e/envelopes.ts";
import { createHome } from "../support/run-ents.ts";
import { type Answer, startService } from "../support/scripted-service.ts";
import { FACILITIES, listFarms, POWER, startUnitService } from "./unit-service.ts";

const asked = (flags: string) => [...POWER, ...flags.split(" ")];

interface Setting {
  readonly isStored?: boolean;
  readonly silent?: readonly string[];
  /** How often the list is requested. */
  readonly lists?: number;
}

/** The warnings about codes. */
async function warnFor(
  flags: string,
  { isStored = true, silent = ["HDWF9"], lists = 1 }: Setting = {},
): Promise<string[]> {
  const [service, home] = [await startUnitService(FACILITIES, { silent }), createHome()];
  if (isStored) await service.run(home, ["list", "facilities"]);
  const { code, stderr } = await service.run(home, asked(flags));
  expect([code, service.countLists()]).toEqual([0, lists]);
  return stderr.split("\n").filter((line) => line.startsWith("ents: warning: "));
}

const told = (what: string) => [`ents: warning: no data came for ${what}`];
const unknown = (what: string) => `ents: warning: unknown ${what}`;

describe("with a stored list", () => {
  test.each<[flags: string, warnings: string[]]>([
    ["--facility-code HORNSDALE HPR", []],
    [
      "--facility-code HORNSDALE ARWF ALBANY --allow-unknown",
      ["ents: warning: ALBANY is a facility of WEM, not of NEM (sent anyway)"],
    ],
    [
      "--facility-code HORNSDALE HORNSDLE --allow-unknown",
      [
        unknown(
          'facility code "HORNSDLE" (sent anyway); did you mean HORNSDALE (Hornsdale) or HPR (Hornsdale Power Reserve)?',
        ),
      ],
    ],
    ["--facility-code ARWF HPR --unit-code ARWF1", told("facility code HPR")],
    [
      "--facility-code HORNSDALE --unit-code HDWF1 HDWF9 HDWF7 --allow-unknown",
      [
        unknown(
          'unit code "HDWF7" (sent anyway); did you mean HDWF2 (Hornsdale), HDWF1 (Hornsdale) or HDWF9 (Hornsdale)?',
        ),
        ...told("unit code HDWF9"),
      ],
    ],
    ["--facility-code ARWF --unit-code ARWF1 HPRG1", told("unit code HPRG1")],
  ])("%s", async (flags, warnings) => {
    expect(await warnFor(flags)).toEqual(warnings);
  });

  test("a facility whose units all have no data", async () => {
    expect(await warnFor("--facility-code HORNSDALE W/HOE", { silent: ["W/HOE#1", "W/HOE#2"] })).toEqual(
      told("facility code W/HOE"),
    );
    expect(await warnFor("--facility-code HORNSDALE W/HOE", { silent: ["W/HOE#1"] })).toEqual([]);
  });

  test("more than ten are counted", async () => {
    const farms = listFarms(12).map((farm) => farm.code);
    const service = await startUnitService([...FACILITIES, ...listFarms(12)], {
      silent: farms.flatMap((code) => [`${code}A`, `${code}B`]),
    });
    const home = createHome();
    await service.run(home, ["list", "facilities"]);
    const { stderr } = await service.run(home, asked(`--facility-code ARWF ${farms.join(" ")}`));
    expect(stderr).toContain(
      `ents: warning: no data came for facility codes ${farms.slice(0, 10).join(", ")} and 2 more\n`,
    );
  });
});

describe("without a list, it is fetched once", () => {
  test.each<[flags: string, warnings: string[]]>([
    ["--facility-code HORNSDALE ARWFX", [unknown('facility code "ARWFX" (no data came); did you mean ARWF (Ararat)?')]],
    [
      "--facility-code HORNSDALE HPRX --unit-code HDWF1 HDWF7",
      [
        unknown('facility code "HPRX" (no data came); did you mean HPR (Hornsdale Power Reserve)?'),
        unknown(
          'unit code "HDWF7" (no data came); did you mean HDWF2 (Hornsdale), HDWF1 (Hornsdale) or HDWF9 (Hornsdale)?',
        ),
      ],
    ],
    ["--facility-code HORNSDALE ARWF", []],
  ])("%s", async (flags, warnings) => {
    expect(await warnFor(flags, { isStored: false })).toEqual(warnings);
  });

  test.each<[why: string, list: Answer]>([
    ["does not have one", { status: 404, body: { detail: "Not Found" } }],
    ["is not well", { status: 503 }],
    ["has another thing there", { body: "<html>" }],
  ])("in silence if the service %s", async (_why, list) => {
    const service = await startUnitService(FACILITIES, { list });
    const run = await service.run(createHome(), asked("--facility-code HORNSDALE ARWFX --unit-code HDWF1 HDWF7"));
    expect([run.code, run.stderr, service.countLists()]).toEqual([0, `${told("unit code HDWF7")[0]}\n`, 1]);
  });
});

test("the sandbox has its own list", async () => {
  const { stderr } = await createHome().run([...asked("--facility-code BAYSW BAYSX --allow-unknown"), "--sandbox"]);
  expect(stderr.split("\n")[0]).toBe(unknown('facility code "BAYSX" (sent anyway); did you mean BAYSW (Bayswater)?'));
  expect(stderr).not.toContain("no data came");
});

test("without any data, that alone is reported; and nothing if series have no label", async () => {
  expect(
    (await warnFor("--facility-code HPRX HPRY --allow-unknown")).filter((line) => line.includes("no data came")),
  ).toEqual([]);
  const service = await startService(() => ({ body: envelope([{ series: [{ points: HOUR }] }]) }));
  const { code, stderr } = await createHome().run(asked("--unit-code HDWF1 HDWF7"), {
    env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("a unit that is not in the list may belong to any facility", async () => {
  const service = await startUnitService(FACILITIES);
  const home = createHome();
  await service.run(home, ["list", "facilities"]);
  service.relist([...FACILITIES, { code: "NEW", name: "New", network_id: "NEM", units: [{ code: "NEW1" }] }]);
  const { stderr } = await service.run(
    home,
    asked("--facility-code ARWF NEW OLD HPR --unit-code NEW1 ARWF1 --allow-unknown"),
  );
  expect(stderr).not.toContain("no data came");
});

test("an update reports it each time, as its output has all units", async () => {
  const [service, home] = [await startUnitService(FACILITIES, { silent: ["HDWF9"] }), createHome()];
  const update =
    "facilities NEM -m power -i 1h -s 2024-12-01 --facility-code HORNSDALE --unit-code HDWF1 HDWF9 -o h.csv --update".split(
      " ",
    );
  const first = await service.run(home, update);
  const next = await service.run(home, update);
  expect([first.stderr.includes("no data came"), next.stderr.includes("no data came")]).toEqual([true, true]);
});
