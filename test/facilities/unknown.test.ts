/**
 * Facility and unit codes that are not in the service's list: refused if a list of this week is stored, otherwise a
 * warning.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { explainCodes } from "../../src/facilities/unknown.ts";
import { parseJson } from "../../src/base/json.ts";
import { parseFacilities } from "../../src/facility-list/parse-facilities.ts";
import { DAY } from "../../src/time/local-time.ts";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { FACILITIES, LIST } from "./body.ts";

const WEST = {
  code: "COLLIE",
  name: "Collie",
  network_id: "WEM",
  network_region: "WEM",
  units: [{ code: "COLLIE_G1" }],
};
const LISTED = parseFacilities(parseJson(JSON.stringify({ data: [...FACILITIES, WEST] })));

const EXPLAINING = { flags: { facility: "--facility-code", unit: "--unit-code" }, fate: "sent anyway" };

function explain(asked: { facility?: string[]; unit?: string[]; network?: string }): string[] {
  return explainCodes(LISTED, { network: "NEM", facility: [], unit: [], ...asked }, EXPLAINING).map(({ text }) => text);
}

describe("suggestions", () => {
  test.each([
    ["baysw", "; did you mean BAYSW?"],
    ["bayswater", "; did you mean BAYSW (Bayswater)?"],
    ["Cafe", "; did you mean 0CAFE (Café Ångström)?"],
    ["BAYS", "; did you mean BAYSW (Bayswater)?"],
    ["BAYSX", "; did you mean BAYSW (Bayswater)?"],
    ["BW01", "; did you mean --unit-code BW01?"],
    ["bw01", "; did you mean --unit-code BW01?"],
    ["codes.txt", "; did you mean @codes.txt?"],
    ["ZZ", ""],
    ["nothing like it", ""],
  ])("facility %s", (code, meant) => {
    expect(explain({ facility: [code] })).toEqual([`unknown facility code "${code}" (sent anyway)${meant}`]);
  });

  test.each([
    ["hprg1", "; did you mean HPRG1?"],
    ["HPR", "; did you mean --facility-code HPR?"],
    ["BW1", "; did you mean BW01?"],
    ["bw001", "; did you mean BW01?"],
    ["BW0", "; did you mean BW01 (Bayswater) or BW02 (Bayswater)?"],
  ])("unit %s", (code, meant) => {
    expect(explain({ unit: [code] })).toEqual([`unknown unit code "${code}" (sent anyway)${meant}`]);
  });

  test("a code of another network is named, unless networks may share facilities", () => {
    expect(explain({ network: "WEM", facility: ["BAYSW"], unit: ["BW01", "COLLIE_G1"] })).toEqual([
      "BAYSW is a facility of NEM, not of WEM (sent anyway)",
      "BW01 is a unit of NEM, not of WEM (sent anyway)",
    ]);
    expect(explain({ network: "AU", facility: ["BAYSW", "COLLIE"] })).toEqual([]);
  });
});

const NOW = Date.UTC(2026, 0, 15, 2, 30);
const FETCH = [
  "facilities",
  "NEM",
  "-m",
  "power",
  "-i",
  "1h",
  "-s",
  "2026-01-14T12:00",
  "-e",
  "2026-01-14T12:59",
  "-f",
  "csv",
];
const NO_DATA = "ents: note: the service has no data for this query\n";

async function createPlace() {
  const service = await startService(({ url }) =>
    url.startsWith("/v4/facilities/") ? LIST : refusal(404, "No data available"),
  );
  const home = createHome();
  const clock = { now: NOW };
  const run = (...args: readonly string[]) =>
    home.run(args, {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
      clock: { ...createVirtualClock(), now: () => clock.now },
    });
  return { service, home, clock, run };
}

describe("with a stored list", () => {
  const createListed = async () => {
    const place = await createPlace();
    await place.run("list", "facilities");
    const before = place.service.requests.length;
    return { ...place, listRequests: () => place.service.requests.slice(before).map(({ url }) => url) };
  };
  const SEE =
    "see 'ents list units --network NEM' for all codes; for a new one, run 'ents list facilities --refresh', or use --allow-unknown\n";

  test("unknown codes are refused by name, and nothing is sent or written", async () => {
    const { listRequests, home, run } = await createListed();
    writeFileSync(home.path("p.csv"), "of last year");
    const codes = ["--facility-code", "HPR", "bayswater", "NEWONE", "--unit-code", "BW0"];
    const { code, stderr } = await run(...FETCH, ...codes, "-o", "p.csv", "--overwrite");
    const lines = [
      'ents: unknown facility code "bayswater"; did you mean BAYSW (Bayswater)?\n',
      '      unknown facility code "NEWONE"\n',
      '      unknown unit code "BW0"; did you mean BW01 (Bayswater) or BW02 (Bayswater)?\n',
      `      ${SEE}`,
    ];
    expect({ code, stderr }).toEqual({ code: 2, stderr: lines.join("") });
    expect(listRequests()).toEqual([]);
    expect(readFileSync(home.path("p.csv"), "utf8")).toBe("of last year");
  });

  test("known codes in any case are sent as the service spells them, and looked for in the data", async () => {
    const { listRequests, run } = await createListed();
    const { code, stderr } = await run(...FETCH, "--facility-code", "baysw", "BAYSW", "hpr", "--unit-code", "bw01");
    expect({ code, stderr }).toEqual({ code: 0, stderr: NO_DATA });
    expect(listRequests()).toEqual([expect.stringContaining("facility_code=BAYSW&facility_code=HPR&unit_code=BW01")]);
  });

  test("--allow-unknown sends it, and so does an update, as a code may be gone from the list", async () => {
    const { listRequests, run } = await createListed();
    const warning = 'ents: warning: unknown facility code "NEWONE" (sent anyway)\n';
    for (const flags of [["--allow-unknown"], ["-o", "n.csv", "--update"]]) {
      const { code, stderr } = await run(...FETCH, ...flags, "--facility-code", "NEWONE");
      expect({ code, stderr: stderr.replace("ents: n.csv: new, 0 points\n", "") }).toEqual({
        code: 0,
        stderr: warning + NO_DATA,
      });
    }
    expect(listRequests()).toHaveLength(2);
  });

  test("a list from last week refuses nothing", async () => {
    const { run, clock } = await createListed();
    clock.now += 7 * DAY;
    expect(await run(...FETCH, "--facility-code", "bayswater")).toMatchObject({ code: 2 });
    clock.now += 1;
    const { code, stderr } = await run(...FETCH, "--facility-code", "baysw");
    const [told, age] = stderr.split("\n");
    expect({ code, told }).toEqual({
      code: 0,
      told: 'ents: warning: unknown facility code "baysw" (sent anyway); did you mean BAYSW?',
    });
    expect(age).toContain("the list of facilities is from 2026-01-15");
  });
});

test("without one, or with a damaged one: reported after the request, with a list fetched then", async () => {
  const { home, service, run } = await createPlace();
  const expected = `${NO_DATA}ents: warning: unknown facility code "baysw" (no data came); did you mean BAYSW?\n`;
  expect((await run(...FETCH, "--facility-code", "baysw")).stderr).toBe(expected);
  expect(service.requests.map(({ url }) => url.split("?")[0])).toEqual(["/v4/data/facilities/NEM", "/v4/facilities/"]);
  const folder = join(home.folder, "cache", "codes");
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "{");
  expect((await run(...FETCH, "--facility-code", "baysw")).stderr).toBe(expected);
});

test("without any list: what the code itself suggests", async () => {
  const noData = refusal(404, "No data available for the given parameters");
  const service = await startService(({ url }) => (url.startsWith("/v4/data/") ? noData : refusal(404, "Not Found")));
  const { stderr } = await createHome().run([...FETCH, "--facility-code", "baysw", "HPR"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
  });
  expect(stderr).toBe(`${NO_DATA}ents: warning: facility code "baysw": did you mean BAYSW?\n`);
});

test("a dry run reports it without a token, and gives the age of an old list", async () => {
  const { home, service, run, clock } = await createPlace();
  await run("list", "facilities");
  const requests = service.requests.length;
  const ask = (...codes: readonly string[]) =>
    home.run([...FETCH, "--facility-code", ...codes, "--dry-run"], {
      env: { ENTS_BASE_URL: service.url },
      clock: { ...createVirtualClock(), now: () => clock.now },
    });
  const unknown = String.raw`ents: warning: unknown facility code "NEWONE" \(sent anyway\)\n`;
  expect((await ask("NEWONE")).code).toBe(2);
  expect((await ask("NEWONE", "--allow-unknown")).stderr).toMatch(new RegExp(`^${unknown}ents: note: 1 request, `));
  clock.now += 8 * DAY;
  expect((await ask("NEWONE")).stderr).toMatch(
    new RegExp(
      `^${unknown}ents: warning: the list of facilities is from 2026-01-15; run 'ents list facilities' to fetch a new one\n`,
    ),
  );
  expect((await ask("BAYSW")).stderr).not.toContain("warning");
  expect(service.requests).toHaveLength(requests);
});

test("the list of another service is ignored: its own is fetched", async () => {
  const [one, other] = [await createPlace(), await createPlace()];
  await one.run("list", "facilities");
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: other.service.url };
  expect((await one.home.run([...FETCH, "--facility-code", "ELSEWHERE"], { env })).stderr).toBe(
    `${NO_DATA}ents: warning: unknown facility code "ELSEWHERE" (no data came)\n`,
  );
  expect(other.service.requests.map(({ url }) => url.split("?")[0])).toEqual([
    "/v4/data/facilities/NEM",
    "/v4/facilities/",
  ]);
});

test("the sandbox knows its own codes", async () => {
  const run = await createHome().run([...FETCH, "--facility-code", "bayswater", "--sandbox"]);
  expect(run.stderr).toBe(
    "ents: unknown facility code \"bayswater\"; did you mean BAYSW (Bayswater)?\n      see 'ents list facilities --network NEM --sandbox' for all codes\n",
  );
});

describe("a list", () => {
  test.each([
    { filter: ["-r", "SA"], told: ['unknown region "SA"; did you mean SA1?'] },
    {
      filter: ["-r", "South", "Australia"],
      told: [
        'unknown region "South"; did you mean NSW1 or SA1?',
        'unknown region "Australia"; did you mean SA1 or WEM?',
      ],
    },
    { filter: ["--fueltech", "coal"], told: ['unknown fueltech "coal"; did you mean coal_black?'] },
    { filter: ["--status", "operational"], told: ['unknown status "operational"; did you mean operating?'] },
    { filter: ["--network", "NE"], told: ['unknown network "NE"; did you mean NEM?'] },
  ])("$filter", async ({ filter, told }) => {
    const { run } = await createPlace();
    const { code, stdout, stderr } = await run("list", "facilities", ...filter, "--codes");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe(
      [
        ...told.map((text) => `ents: warning: ${text}\n`),
        "ents: note: nothing in the list matches the flags\n      leave one out to see more\n",
      ].join(""),
    );
  });

  test("says if nothing matches the text, and nothing otherwise", async () => {
    const { run } = await createPlace();
    const nothing = 'ents: note: nothing in the list matches "zzzz"\n      leave out the words to see all\n';
    expect((await run("list", "units", "zzzz")).stderr).toBe(nothing);
    expect((await run("list", "fueltechs", "zzzz")).stderr).toBe(nothing);
    expect((await run("list", "units", "bays", "-r", "nsw1", "--fueltech", "COAL_BLACK")).stderr).toBe("");
  });
});

test("a metric of another endpoint is named if nothing came", async () => {
  const { run } = await createPlace();
  const { stderr } = await run(
    "market",
    "NEM",
    "-m",
    "power",
    "price",
    "-r",
    "NSW1",
    "-i",
    "1h",
    "-s",
    "2026-01-14T12:00",
    "-e",
    "2026-01-14T12:59",
  );
  expect(stderr).toBe(
    `${NO_DATA}      on the public service, power is offered by 'ents network' and 'ents facilities'\n`,
  );
});
