/** `ents list`: what it shows of a service's list, how it searches it, and how long it keeps it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { formatList } from "../../src/base/phrases.ts";
import { describeFormat, type FormatName, LIST_FORMATS } from "../../src/format/registry.ts";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { readBytes } from "../columnar/readers.ts";
import { TOKEN } from "../e2e/envelopes.ts";
import { expectError } from "../e2e/old-file.ts";
import { readWorkbook, toPlainRows, type XlsxCell } from "../e2e/read-xlsx.ts";
import { createHome } from "../support/run-ents.ts";
import { type Script, startService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { FACILITIES, LIST } from "./body.ts";
import { shownMode } from "../support/platform.ts";

const NOW = Date.UTC(2026, 0, 15);

async function createLists(script: Script = () => LIST) {
  const service = await startService(script);
  const home = createHome();
  const clock = { now: NOW };
  const list = (...args: readonly string[]) =>
    home.run(["list", ...args, "--retries", "0"], {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
      clock: { ...createVirtualClock(), now: () => clock.now },
    });
  const findKept = () => {
    const folder = join(home.folder, "cache", "codes");
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  };
  const countLists = () => service.requests.filter(({ url }) => url === "/v4/facilities/").length;
  return { service, home, clock, list, findKept, countLists };
}

test("networks, regions and fueltechs are known without a service or a token", async () => {
  const home = createHome();
  const run = (name: string) => home.run(["list", name]);
  expect(await run("networks")).toMatchObject({
    code: 0,
    stdout:
      "network,time_zone,regions\nNEM,UTC+10:00,NSW1 QLD1 SA1 TAS1 VIC1\nWEM,UTC+08:00,WEM\nAU,UTC+10:00,NSW1 QLD1 SA1 TAS1 VIC1 WEM\n",
  });
  const regions = (await run("regions")).stdout.trimEnd().split("\n");
  expect(regions).toHaveLength(7);
  expect(regions).toContain("SA1,NEM,South Australia");
  const fueltechs = (await run("fueltechs")).stdout.trimEnd().split("\n");
  // Those without data are left out.
  expect(fueltechs).toHaveLength(23);
  expect(fueltechs).toEqual(
    expect.arrayContaining(["coal_black,coal,false", "hydro_and_storage,hydro,true", "solar,,true"]),
  );
});

test.each([
  ["AU", ["NSW1", "QLD1", "SA1", "TAS1", "VIC1", "WEM"]],
  ["nem", ["NSW1", "QLD1", "SA1", "TAS1", "VIC1"]],
  ["wem", ["WEM"]],
])("regions are found by each network that has them: %s", async (network, found) => {
  const { stdout } = await createHome().run(["list", "regions", network, "--codes"]);
  expect(stdout).toBe(found.map((one) => `${one}\n`).join(""));
});

test("facilities: missing values are empty, also without a unit, and the capacity is that of generating units; the largest first", async () => {
  const { list, service } = await createLists();
  const { code, stdout } = await list("facilities");
  expect([code, stdout.split("\n")]).toEqual([
    0,
    [
      "facility_code,facility_name,network,region,fueltechs,status,units,capacity,capacity_maximum,capacity_storage",
      "BAYSW,Bayswater,NEM,NSW1,coal_black,operating,2,1321,,",
      "HPR,Hornsdale Power Reserve,NEM,SA1,battery_discharging battery_charging,operating,2,150,,193.5",
      "0CAFE,Café Ångström,NEM,SA1,wind,mothballed operating,2,12,12,",
      "NOUNITS,None,WEM,WEM,,,0,,,",
      "",
    ],
  ]);
  const asked = service.requests.map(({ url, headers }) => [url, headers.authorization]);
  // The plans are public, so the token is not sent.
  expect(asked).toEqual([
    ["/v4/facilities/", `Bearer ${TOKEN}`],
    ["/v4/plans", undefined],
  ]);
});

test("units: one row each, with the service's digits", async () => {
  const { list } = await createLists();
  const { stdout } = await list("units", "--status", "mothballed", "operating", "-r", "sa1", "nsw1");
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    "unit_code,facility_code,facility_name,network,region,fueltech,status,capacity,capacity_maximum,capacity_storage,first_data,last_data",
    "BW01,BAYSW,Bayswater,NEM,NSW1,coal_black,operating,660.5,,,1998-12-07T00:00:00+10:00,2026-01-02T00:00:00+10:00",
    "BW02,BAYSW,Bayswater,NEM,NSW1,coal_black,operating,660.5,,,1998-12-07T00:00:00+10:00,2026-01-02T00:00:00+10:00",
  ]);
  expect(stdout).toContain(
    "\nHPRG1,HPR,Hornsdale Power Reserve,NEM,SA1,battery_discharging,operating,150,,193.5,2017-11-26T10:05:00+10:00,2026-01-02T00:00:00+10:00\n",
  );
  expect(stdout).toContain("\n0CAFE2,0CAFE,Café Ångström,NEM,SA1,wind,operating,,,,,\n");
  expect((await list("units", "-f", "table", "--status", "mothballed", "operating")).stdout).toMatch(
    /^unit_code .* capacity \(MW\)  capacity_maximum \(MW\)  capacity_storage \(MWh\)  first_data +last_data\n/,
  );
});

test("a table has storage, and no maximum capacity that is the capacity of every row", async () => {
  const { list } = await createLists();
  const titles = async (...words: readonly string[]) =>
    (await list("facilities", "-f", "table", ...words)).stdout.split("\n")[0];
  expect(await titles("hornsdale")).toMatch(
    /units +capacity \(MW\) +capacity_maximum \(MW\) +capacity_storage \(MWh\)$/,
  );
  expect(await titles("cafe")).toMatch(/units +capacity \(MW\)$/);
});

test.each([
  { text: ["bayswater"], found: ["BAYSW"] },
  { text: ["BAYSW"], found: ["BAYSW"] },
  { text: ["bayswatre"], found: ["BAYSW"] },
  { text: ["cafe", "angstrom"], found: ["0CAFE"] },
  { text: ["wind south"], found: ["0CAFE"] },
  { text: ["south australia"], found: ["HPR", "0CAFE"] },
  { text: ["power"], found: ["HPR"] },
  { text: ["bw01"], found: ["BAYSW"] },
  { text: ["hprl"], found: ["HPR"] },
  { text: ["nsw1", "wind"], found: [] },
  { text: ["*"], found: [] },
])("finds $found by $text", async ({ text, found }) => {
  const { list } = await createLists();
  const { code, stdout } = await list("facilities", "--codes", ...text);
  expect([code, stdout]).toEqual([0, found.map((one) => `${one}\n`).join("")]);
});

test.each([
  { flags: ["--network", "WEM"], found: ["NOUNITS"] },
  { flags: ["--network", "WEM", "--status", "operating"], found: [] },
  { flags: ["--network", "AU"], found: ["BAYSW", "HPR", "0CAFE", "NOUNITS"] },
  { flags: ["-r", "SA1"], found: ["HPR", "0CAFE"] },
  { flags: ["--fueltech", "battery_charging,coal_black"], found: ["BAYSW", "HPR"] },
  { flags: ["--status", "mothballed"], found: ["0CAFE"] },
  { flags: ["-r", "SA1", "--fueltech", "coal_black"], found: [] },
])("$flags narrows to $found", async ({ flags, found }) => {
  const { list } = await createLists();
  expect((await list("facilities", "--codes", ...flags)).stdout).toBe(found.map((one) => `${one}\n`).join(""));
});

type Cells = readonly (readonly XlsxCell[])[];

const readObjects = (objects: readonly Readonly<Record<string, XlsxCell>>[]): Cells => [
  Object.keys(objects[0] ?? {}),
  ...objects.map((one) => Object.values(one)),
];

const readTyped = (format: "parquet" | "arrow") => async (path: string) => {
  const { types, rows } = await readBytes(format, readFileSync(path));
  return [Object.keys(types), ...rows];
};

/** The cells of a file, below its header. Delimited formats need no reader of their own. */
const READERS: Partial<Record<FormatName, (path: string) => Cells | Promise<Cells>>> = {
  parquet: readTyped("parquet"),
  arrow: readTyped("arrow"),
  xlsx: async (path) => toPlainRows((await readWorkbook(path)).rows),
  json: (path) => readObjects(JSON.parse(readFileSync(path, "utf8")) as Record<string, XlsxCell>[]),
  ndjson: (path) =>
    readObjects(
      JSON.parse(`[${readFileSync(path, "utf8").trimEnd().replaceAll("\n", ",")}]`) as Record<string, XlsxCell>[],
    ),
};

test.for(LIST_FORMATS.filter((name) => name !== "table"))("%s has the same rows as csv", async (format, { skip }) => {
  const { delimiter } = describeFormat(format);
  const read =
    delimiter === undefined ? READERS[format] : (path: string): Cells => parse(readFileSync(path), { delimiter });
  if (read === undefined) return skip(`nothing here reads ${format}`);
  const { list, home } = await createLists();
  const { stdout } = await list("units", "-f", "csv");
  expect(await list("units", "-o", `units.${format}`, "-f", format)).toMatchObject({ code: 0, stdout: "", stderr: "" });
  const rows = await read(home.path(`units.${format}`));
  // Typed formats have dates: instants, or the network's wall clock.
  const toText = (cell: XlsxCell | undefined) =>
    cell instanceof Date ? `${cell.toISOString().slice(0, -5)}+10:00` : String(cell ?? "");
  expect(rows.map((cells) => cells.map(toText))).toEqual(parse(stdout));
});

test("json is an array of objects, which may be empty", async () => {
  const { list } = await createLists();
  const [first] = JSON.parse((await list("facilities", "-f", "json")).stdout) as unknown[];
  expect(first).toMatchObject({ facility_code: "BAYSW", region: "NSW1", units: 2, capacity: 1321 });
  expect(JSON.parse((await list("facilities", "-f", "json", "nothing at all")).stdout)).toEqual([]);
});

test("a list is stored for a day, only for this user, says its age, and is fetched again with --refresh", async () => {
  const { list, countLists, clock, findKept } = await createLists();
  const first = await list("facilities");
  expect(findKept().map((path) => statSync(path).mode & 0o777)).toEqual([shownMode(0o600)]);
  expect(readFileSync(findKept()[0] as string, "utf8")).not.toContain(TOKEN);
  clock.now += 23 * HOUR;
  const second = await list("facilities");
  expect([second.stdout, countLists()]).toEqual([first.stdout, 1]);
  expect(second.stderr).toContain("the list of facilities is 23 hours old; use --refresh to fetch a new one");
  await list("units", "--refresh");
  expect(countLists()).toBe(2);
  clock.now += DAY;
  await list("facilities");
  expect(countLists()).toBe(3);
  clock.now -= 30 * DAY;
  await list("facilities");
  expect(countLists()).toBe(4);
});

test("leftovers of a killed run beside a list are removed after a day", async () => {
  const { list, findKept } = await createLists();
  await list("facilities");
  const [kept = ""] = findKept();
  const [old, young] = ["0123abcd", "abcd0123"].map((name) =>
    join(dirname(kept), `.${basename(kept)}.${name}.1.1.${name}.ents-tmp`),
  ) as [string, string];
  for (const path of [old, young]) writeFileSync(path, "{");
  const dayAgo = Date.now() / 1000 - 25 * 60 * 60;
  for (const path of [old, kept]) utimesSync(path, dayAgo, dayAgo);
  await list("facilities", "--refresh");
  expect(findKept().toSorted()).toEqual([young, kept].toSorted());
});

test("without the service, an old list is used with a note about its age; --refresh fails and keeps it", async () => {
  const { list, service, clock, findKept } = await createLists();
  const { stdout } = await list("facilities");
  await service.close();
  clock.now += 3 * DAY;
  const old = await list("facilities");
  expect([old.code, old.stdout]).toEqual([0, stdout]);
  expect(old.stderr).toMatch(/warning: cannot reach .*; using the list of facilities from 2026-01-15T00:00:00\.000Z/);
  expect(old.stderr).not.toContain("--refresh");
  const kept = readFileSync(findKept()[0] as string, "utf8");
  expectError(await list("facilities", "--refresh"), 5, /cannot reach/);
  expect(readFileSync(findKept()[0] as string, "utf8")).toBe(kept);
});

/** Replaces a part of a kept list. */
const replaced = (path: string, value: unknown) => (text: string) => {
  const kept = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const keys = path.split(".");
  const last = keys.pop() as string;
  const place = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], kept);
  (place as Record<string, unknown>)[last] = value;
  return JSON.stringify(kept);
};

test.each<[what: string, damage: (text: string) => string]>([
  ["is empty", () => ""],
  ["is no JSON", () => "garbage"],
  ["is cut", (text) => text.slice(0, -20)],
  ["has another version", replaced("version", 99)],
  ["has the version before the maximum capacity", replaced("version", 2)],
  ["is of another service", replaced("service", "https://other.example/")],
  ["has no facilities", replaced("facilities", undefined)],
  ["has something else than facilities", replaced("facilities", [null])],
  ["has a facility without a network", replaced("facilities.0.network", undefined)],
  ["has a region that is a number", replaced("facilities.0.region", 5)],
  ["has something else than units", replaced("facilities.0.units", [null])],
  ["has a capacity that is no number", replaced("facilities.0.units.0.capacity", "x")],
  ["has storage that is no number", replaced("facilities.0.units.0.storage", "x")],
])("a stored list that %s is ignored", async (_what, damage) => {
  const { list, countLists, findKept } = await createLists();
  const { stdout } = await list("units");
  const [path = ""] = findKept();
  writeFileSync(path, damage(readFileSync(path, "utf8")));
  expect(await list("units")).toMatchObject({ code: 0, stdout });
  expect(countLists()).toBe(2);
});

test.skipIf(process.platform === "win32")("a stored list that is a named pipe is ignored", async () => {
  const { list, countLists, findKept } = await createLists();
  const { stdout } = await list("units");
  const [path = ""] = findKept();
  rmSync(path);
  execFileSync("mkfifo", [path]);
  expect(await list("units")).toMatchObject({ code: 0, stdout });
  expect(countLists()).toBe(2);
});

test("a list that cannot be stored is still shown", async () => {
  const { list, home } = await createLists();
  mkdirSync(join(home.folder, "cache"), { recursive: true });
  writeFileSync(join(home.folder, "cache", "codes"), "a file where a folder is to be");
  expect(await list("facilities", "--codes")).toMatchObject({
    code: 0,
    stdout: "BAYSW\nHPR\n0CAFE\nNOUNITS\n",
    stderr: "",
  });
});

describe("without a match", () => {
  test.each<[words: string, lines: string[]]>([
    ["hornsdalle zzzz", ['nothing in the list matches "hornsdalle zzzz"', '"zzzz" alone matches nothing']],
    [
      "bayswater wind",
      ['nothing in the list matches "bayswater wind"', "each word matches something, but no entry matches all of them"],
    ],
    ["zzzz", ['nothing in the list matches "zzzz"', "leave out the words to see all"]],
    ["bayswatr", ['nothing in the list matches "bayswatr"; showing similar names']],
    ["zzzz --fueltech wind -r NSW1", ["nothing in the list matches the flags", "leave one out to see more"]],
    ["bayswaterplant", ['nothing in the list matches "bayswaterplant"; did you mean BAYSW or Bayswater?']],
  ])("%s", async (words, [first = "", ...hints]) => {
    const { list } = await createLists();
    const { code, stderr } = await list("facilities", "--codes", ...words.split(" "));
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: [`ents: note: ${first}`, ...hints.map((hint) => `      ${hint}`), ""].join("\n"),
    });
  });
});

test("each service has its own list", async () => {
  const one = await createLists();
  await one.list("facilities");
  const other = await startService(() => ({ body: { data: FACILITIES.slice(0, 1) } }));
  const { stdout } = await one.home.run(["list", "facilities", "--codes", "--base-url", other.url], {
    env: { ENTS_TOKEN: TOKEN },
  });
  expect([stdout, one.findKept().length]).toEqual(["BAYSW\n", 2]);
});

test.each([
  {
    what: "has no such path",
    answer: { status: 404, body: { detail: "Not Found" } },
    code: 4,
    says: /does not list facilities \(GET \/v4\/facilities\/\)/,
  },
  { what: "answers with another thing", answer: { body: { metrics: [] } }, code: 4, says: /not valid v4 \(data: / },
  {
    what: "answers with an error in a 200",
    answer: { body: { success: false, error: "database is down", data: [] } },
    code: 4,
    says: /\(success: false\): database is down/,
  },
  {
    what: "lists other things",
    answer: { body: { data: [{ foo: 1 }] } },
    code: 4,
    says: /no entry of the list of facilities has a code and a network/,
  },
  {
    what: "lists a part",
    answer: { body: { data: FACILITIES, total_records: 570 } },
    code: 4,
    says: /incomplete: total_records is 570, but \d came/,
  },
  { what: "answers with a page", answer: { body: "<!doctype html><html></html>" }, code: 4, says: /HTML page/ },
  { what: "is down", answer: { status: 503 }, code: 5, says: /unavailable \(HTTP 503\)/ },
  { what: "refuses the token", answer: { status: 401, body: {} }, code: 3, says: /refused \(HTTP 401\)/ },
])("a service that $what", async ({ answer, code, says }) => {
  const { list, findKept } = await createLists(() => answer);
  expectError(await list("facilities"), code, says);
  expect(findKept()).toEqual([]);
});

test("an empty list is a header", async () => {
  const { list } = await createLists(() => ({ body: { data: [] } }));
  expect(await list("units")).toMatchObject({
    code: 0,
    stdout:
      "unit_code,facility_code,facility_name,network,region,fueltech,status,capacity,capacity_maximum,capacity_storage,first_data,last_data\n",
  });
});

test("an empty list does not replace one with facilities, and is not stored", async () => {
  let facilities: readonly unknown[] = [];
  const { list, clock, findKept } = await createLists(() => ({ body: { data: facilities } }));
  await list("facilities");
  expect(findKept()).toEqual([]);
  facilities = FACILITIES;
  const { stdout } = await list("facilities");
  facilities = [];
  clock.now += 2 * DAY;
  const run = await list("facilities");
  expect([run.code, run.stdout]).toEqual([0, stdout]);
  expect(run.stderr).toMatch(/warning: .* lists no facilities; using the list of facilities from 2026-01-15/);
  expectError(await list("facilities", "--refresh"), 5, /lists no facilities/);
});

test.each<[flags: string, message: string, command: string]>([
  [
    "-r SA1 hornsdale",
    'unknown region "hornsdale": -r takes all words that follow it',
    "ents list facilities hornsdale --network-region SA1 --retries 0",
  ],
  [
    "--fueltech wind south australia",
    'unknown fueltech "south": --fueltech takes all words that follow it',
    "ents list facilities south australia --fueltech wind --retries 0",
  ],
  // Two edits away from SA1, as every word of three letters is close to a code.
  [
    "-r NSW1 bay",
    'unknown region "bay": -r takes all words that follow it',
    "ents list facilities bay --network-region NSW1 --retries 0",
  ],
  [
    "hornsdale -r SA1 reserve --fueltech battery_charging -f json",
    'unknown region "reserve": -r takes all words that follow it',
    "ents list facilities hornsdale reserve --network-region SA1 --fueltech battery_charging --format json --retries 0",
  ],
])("words after a flag are not searched for: %s", async (flags, message, hint) => {
  const { list } = await createLists();
  const { code, stdout, stderr } = await list("facilities", ...flags.split(" "));
  expect({ code, stdout, stderr: stderr.split("\n").slice(0, 2) }).toEqual({
    code: 2,
    stdout: "",
    stderr: [`ents: ${message}`, `      put words to search for before the flags: ${hint}`],
  });
});

test.each([
  "--fueltech wind solar_rooftop",
  "--fueltech wind nuclear",
  "--network NEM AU",
  "-r SA1 WEM",
  "--status operating retired",
])("values of other lists are not search words: %s", async (flags) => {
  const { list } = await createLists();
  expect(await list("facilities", ...flags.split(" "))).toMatchObject({ code: 0 });
});
const USE_FORMAT = `use ${formatList(LIST_FORMATS, "or")}`;
const ENDINGS = LIST_FORMATS.flatMap((name) => describeFormat(name).extensions.map((extension) => `.${extension}`));

test.each([
  ["-f jsno", 'unknown format "jsno"; did you mean json?', USE_FORMAT],
  ["-o x.pdf", "unknown file extension .pdf", `use ${formatList(ENDINGS, "or")}, or`],
  ["-o x.svg", "format svg only works with time series", USE_FORMAT],
  ["--search bayswater", "unknown flag --search", "put words to search for after the name of the list: "],
])("a value that no list has is refused before a request: %s", async (flags, message, hint) => {
  const { list, service } = await createLists();
  const run = await list("facilities", ...flags.split(" "));
  expect([run.code, service.requests.length]).toEqual([2, 0]);
  expect(run.stderr).toContain(`ents: ${message}\n      ${hint}`);
});

test("--limit cuts a table, conflicts with csv and --codes, and in a pipe a table has all rows", async () => {
  const home = createHome();
  const list = (...args: readonly string[]) => home.run(["list", "units", "--sandbox", ...args]);
  expect((await list("-f", "table")).stdout).toMatch(/\n249 rows\n$/);
  expect((await list("-f", "table", "--limit", "4")).stdout).toMatch(/\n4 of 249 rows\n$/);
  expectError(await list("--limit", "4"), 2, /--limit only works with --format table or markdown\n +the format is csv/);
  expectError(await list("--codes", "--limit", "4"), 2, /--codes cannot be used with --limit/);
});

test("on a terminal, control characters of a code are escaped", async () => {
  const [first] = FACILITIES;
  const service = await startService(() => ({ body: { data: [{ ...(first as object), code: "A\u001b[2J" }] } }));
  const run = await createHome().run(["list", "facilities", "--codes"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
    columns: 80,
  });
  expect(run.stdout).toBe("A\\u001b[2J\n");
});

test("the sandbox lists its own facilities, needs no token, and stores nothing", async () => {
  const home = createHome();
  const { code, stdout } = await home.run([
    "list",
    "facilities",
    "--sandbox",
    "-r",
    "SA1",
    "--fueltech",
    "wind",
    "--codes",
  ]);
  expect([code, stdout.split("\n").slice(0, 2)]).toEqual([0, ["HORNSDALE", "LGAPWF"]]);
  expect(existsSync(join(home.folder, "cache", "codes"))).toBe(false);
});

const RECORDED = fileURLToPath(new URL("../../../shared/service/recorded/facilities.json", import.meta.url));

describe.skipIf(!existsSync(RECORDED))("the recorded list (skipped without ../shared/service/recorded)", () => {
  const answer = { body: existsSync(RECORDED) ? readFileSync(RECORDED, "utf8") : "" };

  test.each([
    ["facilities", /^facility_code +facility_name +region +.*capacity$/],
    ["units", /^unit_code +facility_name +region +.*capacity$/],
  ])("ents list %s is a table on 80 columns", async (name, header) => {
    const service = await startService(() => answer);
    const { stdout } = await createHome().run(["list", name], {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
      columns: 80,
    });
    const lines = stripVTControlCharacters(stdout).split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[0]).toMatch(header);
    expect(lines.length).toBeLessThanOrEqual(24);
  });

  test("has dates with the offset of each unit's own network", async () => {
    const { list } = await createLists(() => answer);
    const rows = parse<Record<string, string>>((await list("units")).stdout, { columns: true });
    const offsets = rows.flatMap((row) =>
      [row["first_data"], row["last_data"]]
        .filter(Boolean)
        .map((timestamp) => `${row["network"]} ${timestamp?.slice(19)}`),
    );
    expect(new Set(offsets)).toEqual(new Set(["NEM +10:00", "WEM +08:00"]));
    expect(offsets).toHaveLength(638 + 644);
  });

  test("has all its facilities and units", async () => {
    const { list } = await createLists(() => answer);
    expect((await list("facilities", "--codes")).stdout.trimEnd().split("\n")).toHaveLength(570);
    expect((await list("units", "--codes")).stdout.trimEnd().split("\n")).toHaveLength(896);
  });

  test.each([
    { text: "eraring", first: "ERARING" },
    { text: "loy yang", first: "LOYYANGA" },
    { text: "coal", first: "ERARING" },
    { text: "sa1 wind", first: "GSWF" },
    { text: "hornsdle", first: "HORNSDPR" },
    { text: "murray", first: "MURRAY" },
    { text: "hornsdale", first: "HORNSDAL" },
    { text: "tumut", first: "SNOWY2" },
    { text: "talwa1", first: "TALLAWAR" },
  ])("$text: $first comes first", async ({ text, first }) => {
    const { list } = await createLists(() => answer);
    expect((await list("facilities", "--codes", text)).stdout.split("\n")[0]).toBe(first);
  });
});
