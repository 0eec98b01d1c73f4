/** `ents facilities` with flags that pick units: the requests, the messages, and what is refused. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FORMAT_NAMES } from "../../src/format/registry.ts";
import { createHomeWithFile, expectUntouched } from "../e2e/old-file.ts";
import { createHome } from "../support/run-ents.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { FACILITIES, listFarms, POWER, startUnitService } from "./unit-service.ts";

const CSV = ["-f", "csv"];
const rowsOf = (stdout: string) => stdout.trimEnd().split("\n").slice(1);
const unitsOf = (stdout: string) => new Set(rowsOf(stdout).map((row) => row.split(",")[4]));

describe("the requests", () => {
  test("have the facilities and the units; only these units come, each with its label", async () => {
    const service = await startUnitService(FACILITIES);
    const { code, stdout, stderr } = await service.run(createHome(), [
      ...POWER,
      ..."-r SA1 --fueltech wind --status operating".split(" "),
      ...CSV,
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(service.listCodes()).toEqual([{ facilities: ["HORNSDALE"], units: ["HDWF1", "HDWF2"] }]);
    expect(unitsOf(stdout)).toEqual(new Set(["HDWF1", "HDWF2"]));
    expect(new URL(service.requests.at(-1)?.url ?? "", service.url).searchParams.has("fueltech")).toBe(false);
  });

  test.each<[flags: string, units: string[]]>([
    ["--facility hornsdal", ["HDWF1", "HDWF2", "HDWF9", "HPRG1"]],
    ["--facility hornsdale", ["HDWF1", "HDWF2", "HDWF9"]],
    ["--facility HPR", ["HPRG1"]],
    ["--facility hdwf2 arwf", ["ARWF1", "HDWF1", "HDWF2", "HDWF9"]],
    ["--facility ararat power", ["ARWF1", "HPRG1"]],
    ["-r sa1 vic1 --fueltech WIND --status operating", ["ARWF1", "HDWF1", "HDWF2"]],
    ["-r SA1 --facility-code HPR ARWF", ["HPRG1"]],
    ["--fueltech wind --unit-code HDWF1 ARWF1 HPRG1", ["ARWF1", "HDWF1"]],
  ])("%s", async (flags, units) => {
    const service = await startUnitService(FACILITIES);
    const { code } = await service.run(createHome(), [...POWER, ...flags.split(" ")]);
    expect(code).toBe(0);
    expect(service.listCodes().flatMap((codes) => codes.units)).toEqual(units);
  });

  test.each([
    ["--status operating retired", "--status retired"],
    ["--fueltech wind hydro", "--fueltech hydro"],
    ["-r SA1 TAS1", "-r TAS1"],
    ["-r SA1 XXX9 --allow-unknown", "-r XXX9"],
    ["--fueltech wind rooftop -o w.csv --update", "--fueltech rooftop"],
  ])(
    "a value that is not in the list, perhaps since today, is reported and does not block the others: %s",
    async (flags, told) => {
      const service = await startUnitService(FACILITIES);
      const { code, stderr } = await service.run(createHome(), [...POWER, ...flags.split(" ")]);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringContaining(`warning: no NEM unit matches ${told}`) as string,
      });
    },
  );

  test.each([
    ["--status operating mothballed", 'unknown status "mothballed"; use operating or committed'],
    ["--fueltech wind rooftop", `unknown fueltech "rooftop"; see 'ents list fueltechs' for all`],
    ["-r SA1 vic", 'unknown region "vic"; did you mean VIC1?'],
    ["-r WEM", "no entry in the list has region WEM"],
    ["--fueltech wind solar", "no entry in the list has fueltech solar"],
  ])("a value in no list is refused, and no data are requested: %s", async (flags, told) => {
    const service = await startUnitService(FACILITIES);
    const { code, stderr } = await service.run(createHome(), [...POWER, ...flags.split(" ")]);
    expect({ code, stderr, codes: service.listCodes() }).toEqual({ code: 2, stderr: `ents: ${told}\n`, codes: [] });
  });

  test("a unit that also belongs to another facility is reported, as that facility's data may be included", async () => {
    const [hornsdale] = FACILITIES as [(typeof FACILITIES)[0]];
    const twin = {
      ...hornsdale,
      code: "TWIN",
      name: "Twin",
      units: [
        { code: "HDWF1", fueltech_id: "solar_utility" },
        { code: "T1", fueltech_id: "wind" },
      ],
    };
    const service = await startUnitService([hornsdale, twin]);
    const { stderr } = await service.run(createHome(), [...POWER, "-r", "SA1", "--fueltech", "wind"]);
    expect(stderr).toContain("ents: warning: unit HDWF1 also belongs to TWIN, whose data may be included\n");
  });

  test("the list is fetched once, and stored for the next command", async () => {
    const [service, home] = [await startUnitService(FACILITIES), createHome()];
    for (const region of ["SA1", "VIC1"]) await service.run(home, [...POWER, "-r", region]);
    expect([service.countLists(), service.requests.length]).toEqual([1, 3]);
  });

  test("without such a flag, no list", async () => {
    const service = await startUnitService(FACILITIES);
    await service.run(createHome(), [...POWER, "--facility-code", "ARWF"]);
    await service.run(createHome(), "network NEM -m power -r SA1 --fueltech wind".split(" "));
    expect(service.countLists()).toBe(0);
  });

  test("the sandbox has its own list, and nothing outside is asked", async () => {
    const service = await startUnitService(FACILITIES);
    const { code, stdout } = await service.run(
      createHome(),
      [...POWER, "--facility", "bayswater", ...CSV, "--sandbox"],
      {
        env: { ENTS_BASE_URL: undefined, ENTS_TOKEN: undefined },
      },
    );
    expect([code, service.requests.length]).toEqual([0, 0]);
    expect(unitsOf(stdout)).toEqual(new Set(["BW01", "BW02", "BW03", "BW04"]));
  });
});

describe("more than 30", () => {
  test("are counted in requests", async () => {
    const service = await startUnitService(listFarms(16));
    const { code, stderr } = await service.run(createHome(), [...POWER, "-r", "SA1", "--fueltech", "wind"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "ents: note: 32 units need 2 requests; one takes at most 30\n",
    });
    expect(service.listCodes()).toHaveLength(2);
  });

  test("from a file need no flag; typed ones do", async () => {
    const [service, home] = [await startUnitService(listFarms(20)), createHome()];
    const codes = listFarms(20).flatMap((farm) => farm.units.map((unit) => unit.code));
    writeFileSync(home.path("codes.txt"), codes.slice(0, 39).join("\n"));
    const run = await service.run(home, [...POWER, "--unit-code", "@codes.txt", codes[39] as string]);
    expect([run.code, run.stderr.split("\n")[0]]).toEqual([
      0,
      "ents: note: 40 codes need 2 requests; one takes at most 30",
    ]);
    expect(service.listCodes()).toHaveLength(2);
    const typed = await service.run(home, [...POWER, "--unit-code", ...codes]);
    expect(typed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--unit-code: 40 codes; one request takes at most 30\n") as string,
    });
  });

  test("are sent with their own facilities; the rows are those of single requests", async () => {
    const service = await startUnitService(listFarms(40));
    const { code, stdout } = await service.run(createHome(), [...POWER, "-r", "SA1", ...CSV]);
    expect(code).toBe(0);
    expect(service.listCodes()).toHaveLength(3);
    for (const { facilities, units } of service.listCodes())
      expect(facilities).toEqual([...new Set(units.map((unit) => unit.slice(0, 4)))]);
    const units = listFarms(40).flatMap((farm) => farm.units.map((unit) => unit.code));
    expect(unitsOf(stdout)).toEqual(new Set(units));
    expect(rowsOf(stdout)).toHaveLength(2 * units.length);
  });

  test("--batch has no effect if one request is enough", async () => {
    const service = await startUnitService(listFarms(15));
    await service.run(createHome(), [...POWER, "-r", "SA1", "--batch"]);
    expect(service.listCodes()).toHaveLength(1);
  });
});

describe("--dry-run", () => {
  const DRY = [...POWER, "-r", "VIC1", "--dry-run", ...CSV];

  test("shows the codes of the stored list, and sends nothing", async () => {
    const [service, home] = [await startUnitService(FACILITIES), createHome()];
    await service.run(home, ["list", "facilities"]);
    const before = service.requests.length;
    const { code, stdout } = await service.run(home, DRY, { env: { ENTS_TOKEN: undefined } });
    expect([code, service.requests.length]).toEqual([0, before]);
    expect(stdout).toContain("&facility_code=ARWF&unit_code=ARWF1,");
  });

  test("without one, names the command that stores one", async () => {
    const service = await startUnitService(FACILITIES);
    expect(await service.run(createHome(), DRY)).toMatchObject({
      code: 2,
      stderr:
        "ents: --dry-run sends no request, and there is no list of units yet\n      run 'ents list facilities' first\n",
    });
    const { stderr } = await createHome().run([...DRY, "--base-url", `${service.url}/`]);
    expect(stderr).toContain(`run 'ents list facilities --base-url ${service.url}/' first`);
    expect(service.requests).toEqual([]);
  });

  test("of the sandbox needs no stored list", async () => {
    const { code, stdout } = await createHome().run([
      ...POWER,
      "--facility",
      "bayswater",
      "--dry-run",
      "--sandbox",
      ...CSV,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("&facility_code=BAYSW&unit_code=BW01&unit_code=BW02&");
  });
});

describe("a pick that finds nothing", () => {
  test("is a header and a note with similar values; no request is sent without codes", async () => {
    const service = await startUnitService(FACILITIES);
    const run = await service.run(createHome(), [
      ...POWER,
      ..."-r SA --fueltech wnd --status operating --allow-unknown".split(" "),
      ...CSV,
    ]);
    expect(run).toMatchObject({
      code: 0,
      stdout: "timestamp,network,metric,unit,value\n",
      stderr: [
        "ents: note: no NEM unit matches -r SA --fueltech wnd --status operating; nothing fetched\n",
        "      nothing matches -r SA; did you mean SA1?\n",
        "      nothing matches --fueltech wnd; did you mean wind?\n",
        "      see 'ents list facilities' and 'ents list units' for all\n",
      ].join(""),
    });
    expect(service.listCodes()).toEqual([]);
  });

  test("even if each value matches something", async () => {
    const service = await startUnitService(FACILITIES);
    const { code, stderr } = await service.run(createHome(), [...POWER, "-r", "VIC1", "--facility", "hornsdale"]);
    expect([code, stderr.split("\n").slice(1, 3)]).toEqual([
      0,
      [
        "      Hornsdale (HORNSDALE): SA1, wind, operating, committed",
        "      see 'ents list facilities' and 'ents list units' for all",
      ],
    ]);
  });

  test.each(["albany", "ALBANY", "albany_wf1"])("even if another network has it: %s", async (text) => {
    const service = await startUnitService(FACILITIES);
    for (const others of [[], ["ararat"]]) {
      const { code, stderr } = await service.run(createHome(), [...POWER, "--facility", text, ...others]);
      expect([code, stderr.split("\n")[0]]).toEqual([
        2,
        `ents: nothing matches --facility ${text}; WEM has Albany (ALBANY)`,
      ]);
    }
    expect(service.listCodes()).toEqual([]);
  });

  test("names the list of the same service", async () => {
    const { stderr } = await createHome().run([...POWER, "--facility", "zzz", "--sandbox"]);
    expect(stderr).toBe("ents: nothing matches --facility zzz\n      see 'ents list facilities --sandbox' for all\n");
  });

  test("in every format, and with --follow", async () => {
    const [service, home] = [await startUnitService(FACILITIES), createHome()];
    for (const format of FORMAT_NAMES.filter((name) => name !== "openmetrics")) {
      const { code, stderr } = await service.run(home, [
        ...POWER,
        "-r",
        "TAS1",
        "-f",
        format,
        "-o",
        home.path(`none.${format}`),
      ]);
      expect([format, code, stderr.split("\n")[0]]).toEqual([
        format,
        0,
        "ents: note: no NEM unit matches -r TAS1; nothing fetched",
      ]);
    }
    expect(readFileSync(home.path("none.json"), "utf8")).toContain('"data": []');
    const followed = await service.run(
      home,
      "facilities NEM -m power -i 5m --last 1h -r TAS1 --follow -f csv".split(" "),
    );
    expect(followed).toMatchObject({ code: 0, stdout: "timestamp,network,metric,unit,value\n" });
    expect(service.listCodes()).toEqual([]);
  });

  test("is not complete", async () => {
    const service = await startUnitService(FACILITIES);
    const due = "facilities NEM -m power -i 1h -s 2025-01-01 -e 2025-01-01 -r TAS1 --require-complete".split(" ");
    const { code, stdout, stderr } = await service.run(createHome(), [...due, ...CSV]);
    expect({ code, stdout }).toEqual({ code: 7, stdout: "timestamp,network,metric,unit,value\n" });
    expect(stderr).toContain("ents: 24 of 24 intervals have no value: 2025-01-01 00:00 to 2025-01-01 23:00\n");
    expect(service.listCodes()).toEqual([]);
  });
});

describe("a list that is empty tonight", () => {
  const PICKS = ["-r SA1", "--fueltech wind", "--status operating", "--facility hornsdale"];
  const hint = "      try again later; without a list, use --facility-code\n";

  test.each(PICKS)("is an error, and leaves the file: %s", async (flags) => {
    const [service, home] = [await startUnitService([]), createHomeWithFile()];
    const run = await service.run(home, [...POWER, ...flags.split(" "), "-o", "old.csv"]);
    expect(run).toMatchObject({
      code: 4,
      stdout: "",
      stderr: `ents: the service's list of facilities is empty\n${hint}`,
    });
    expectUntouched(home);
    expect(service.listCodes()).toEqual([]);
  });

  test("so is one without a unit", async () => {
    const service = await startUnitService(FACILITIES.map((facility) => ({ ...facility, units: [] })));
    const run = await service.run(createHome(), [...POWER, "-r", "SA1", ...CSV]);
    expect(run).toMatchObject({
      code: 4,
      stdout: "",
      stderr: `ents: the service's list of facilities has no units\n${hint}`,
    });
  });

  test("is not used if there is an older one", async () => {
    const [service, home] = [await startUnitService(FACILITIES), createHome()];
    const run = (day: number) =>
      service.run(home, [...POWER, "-r", "SA1", ...CSV], {
        clock: createVirtualClock(Date.UTC(2025, 0, day) - Date.now()),
      });
    const { stdout } = await run(3);
    service.relist([]);
    const later = await run(5);
    expect(later.stderr).toMatch(
      /^ents: warning: .* lists no facilities; using the list of facilities from 2025-01-03/,
    );
    expect(service.listCodes()[1]).toEqual(service.listCodes()[0]);
    expect(stdout).not.toBe("");
  });
});

describe("a name after a flag that takes values", () => {
  test.each([
    "-r SA1 hornsdale --fueltech wind",
    "--status operating hornsdale",
    "--fueltech wind hornsdale -r SA1 --batch",
  ])("is refused before any data request: %s", async (flags) => {
    const service = await startUnitService([...FACILITIES, ...listFarms(16)]);
    const { code, stderr } = await service.run(createHome(), [...POWER, ...flags.split(" ")]);
    expect([code, service.listCodes()]).toEqual([2, []]);
    expect(stderr).toMatch(
      /^ents: unknown \w+ "hornsdale": \S+ takes all words that follow it\n {6}to pick by name, use --facility hornsdale\n/,
    );
  });
});

describe("a service without a list", () => {
  test("for this token is refused, with an alternative", async () => {
    const service = await startUnitService([], {
      list: { status: 403, body: { success: false, error: "not in your plan" } },
    });
    const { code, stderr } = await service.run(createHome(), [...POWER, "-r", "SA1"]);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/\n {6}without a list, use --facility-code\n$/)]);
  });

  test("is refused, with an alternative", async () => {
    const service = await startUnitService([], { list: { status: 404, body: { detail: "Not Found" } } });
    const { code, stdout, stderr } = await service.run(createHome(), [...POWER, "-r", "SA1", ...CSV]);
    expect([code, stdout]).toEqual([4, ""]);
    expect(stderr).toMatch(/\n {6}without a list, use --facility-code\n$/);
    expect(service.listCodes()).toEqual([]);
  });
});

describe("an output that is continued", () => {
  const WIND = "facilities NEM -m power -i 1h -s 2025-01-01 --fueltech wind --status operating --update".split(" ");
  const night = (day: number) => ({ clock: createVirtualClock(Date.UTC(2025, 0, day) - Date.now()) });
  const OTHERS = [...FACILITIES.filter(({ code }) => code !== "ARWF"), ...listFarms(1)];

  test.each([
    ["a file", ["-o", "wind.csv"], "wind.csv"],
    ["a dataset", ["-o", "wind", "--partition", "year"], "wind"],
  ])("%s gets new units that match, and keeps those that are gone", async (_, args) => {
    const [service, home] = [await startUnitService(FACILITIES), createHome()];
    for (const day of [2, 4])
      expect(await service.run(home, [...WIND, ...args], night(day))).toMatchObject({ code: 0 });
    service.relist(OTHERS);
    const requests = service.listCodes().length;
    expect(await service.run(home, [...WIND, ...args], night(6))).toMatchObject({ code: 0 });
    // The earlier units are one batch, as before; the new ones are another.
    expect(service.listCodes().slice(requests)).toEqual([
      { facilities: ["F000"], units: ["F000A", "F000B"] },
      { facilities: ["ARWF", "HORNSDALE"], units: ["ARWF1", "HDWF1", "HDWF2"] },
    ]);
  });

  test("responses of a stopped run are used by the next", async () => {
    const [service, home] = [await startUnitService(listFarms(40)), createHome()];
    const args = [...POWER, "-r", "SA1", "--batch", "--concurrency", "1", "-o", "farms.csv"];
    service.failFrom(3);
    expect((await service.run(home, [...args, "--retries", "0"])).code).toBe(5);
    service.failFrom(undefined);
    const { code, stderr } = await service.run(home, args);
    expect([code, stderr.split("\n")[0]]).toEqual([
      0,
      expect.stringMatching(/resuming: [12] of 3 requests are already done/),
    ]);
  });
});
