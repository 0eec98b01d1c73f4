/** Wrong input: exit code 2, one clear error, nothing is sent, and an existing output file stays. */
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FULL } from "../support/extent.ts";
import { runEnts } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { TOKEN } from "./envelopes.ts";
import { createHomeWithFile, expectError, expectUntouched } from "./old-file.ts";
import { HAS_SHELL } from "../support/platform.ts";

const codes = (count: number) => Array.from({ length: count }, (_, index) => `F${index}`);

const CASES: readonly [name: string, args: string, says: RegExp][] = [
  ["no metric", "network NEM", /--metrics is required/],
  ["an unknown metric", "network NEM -m powr", /"powr".*power/],
  ["a metric in the wrong case", "network NEM -m Power", /"Power".*power/],
  ["an unknown metric among good ones", "market NEM -m price,demnd", /"demnd".*demand/],
  ["an unknown interval", "network NEM -m power -i 5min", /"5min".*5m/],
  ["an interval in the wrong case", "network NEM -m power -i 1D", /"1D".*1d/],
  ["an unknown primary grouping", "market NEM -m price --primary-grouping regions", /"regions"[^]*network_region/],
  ["an unknown secondary grouping", "network NEM -m power --secondary-grouping fueltec", /"fueltec".*fueltech/],
  ["31 facility codes", `facilities NEM -m power --facility-code ${codes(31).join(",")}`, /--facility-code: 31 .*30/],
  ["31 unit codes", `facilities NEM -m power --unit-code ${codes(31).join(" ")}`, /--unit-code: 31 .*30/],
  ["a flag of facilities on network", "network NEM -m power --unit-code BW01", /has no --unit-code.*ents facilities/],
  [
    "a flag of network on facilities",
    "facilities NEM -m power --fueltech-group coal",
    /has no --fueltech-group.*ents network/,
  ],
  [
    "a flag of network on market",
    "market NEM -m price --secondary-grouping status",
    /--secondary-grouping.*ents network/,
  ],
  ["an unknown flag", "network NEM -m power --fuel-tech wind", /--fuel-tech/],
  ["a flag for the token", "network NEM -m power --token abc", /--token/],
  ["the network code swallowed", "network --metrics power NEM", /"NEM".*\n.*ents network NEM --metrics/],
  ["an unknown network code swallowed", "market --metrics price demand XYZ1", /"XYZ1".*\n.*ents market XYZ1 --metrics/],
  ["an empty network code", "network  -m power", /network code is empty/],
  ["a second network code", "network NEM WEM -m power", /arguments/],
  ["a day that does not exist", "network NEM -m power -s 2025-02-29", /"2025-02-29".*exist/],
  ["a month that does not exist", "network NEM -m power -e 2025-00", /"2025-00".*exist/],
  ["an hour that does not exist", "network NEM -m power -s 2025-01-01T24:30", /"2025-01-01T24:30".*exist/],
  ["no date at all", "network NEM -m power -s soon", /"soon"/],
  ["an empty date", "network NEM -m power -s ", /--date-start.*empty/],
  [
    "a reversed window",
    "network NEM -m power -s 2025-01-02 -e 2025-01-01",
    /reversed.*2025-01-02T00:00:00.*2025-01-01T23:59:59/,
  ],
  ["a window reversed by an offset", "network NEM -m power -s 2025-01-01T00:00Z -e 2025-01-01T09:00", /reversed/],
  ["an offset for an unknown network", "network XYZ -m power -e 2025-01-01T00:00+11:00", /XYZ.*NEM.*WEM/],
  ["now for an unknown network", "network XYZ -m power -s yesterday", /XYZ/],
  ["--last for an unknown network", "network XYZ -m power --last 7d", /XYZ/],
  ["--last with an end", "network NEM -m power --last 7d -e 2025-01-01", /--last.*-e/],
  ["--last of nothing", "network NEM -m power --last 0h", /"0h"/],
  ["--last of no unit", "network NEM -m power --last 7", /"7"/],
  ["a missing @file", "facilities NEM -m power --unit-code @missing.txt", /@missing\.txt.*no such file/],
  ["a folder for @file", "facilities NEM -m power --unit-code @/", /@\//],
  ["a metric named as a member of every object", "network NEM -m constructor", /"constructor"/],
  ["an interval named so", "network NEM -m power -i toString", /"toString"/],
  ["a format named so", "network NEM -m power -f __proto__", /"__proto__"/],
  ["a width beyond any page", "network NEM -m power -f svg --width 99999999", /--width 99999999.*svg\n.*10,000 pixels/],
  [
    "a height beyond any terminal",
    "network NEM -m power -f chart --height 1001",
    /--height 1001.*chart\n.*1,000 cells/,
  ],
  ["a rate below one a day", "network NEM -m power --rate 0.00000001", /--rate.*"0.00000001".*one a day/],
  ["a rate of nothing", "network NEM -m power --rate 0", /--rate.*"0"/],
  ["a year before 100", "network NEM -m power -s 0050-01-01", /"0050-01-01".*0100 to 9999/],
  ["a year of 1", "network NEM -m power -s 0001", /"0001".*0100 to 9999/],
  ["a year after 9999", "network NEM -m power -e 10000-01-01", /"10000-01-01"/],
  ["an offset that leads past 9999", "network NEM -m power -e 9999-12-31T23:00Z", /0100 to 9999/],
  ["a network code that leads upwards", "network .. -m power", /"\.\."/],
  ["one that stays", "network . -m power --allow-unknown", /"\."/],
  ["a network code of two segments", "network NEM/../../me -m power", /"NEM/],
  ["a network code with a query", "network NEM?metrics=price -m power", /"NEM\?/],
  ["a network code with a fragment", "network NEM#x -m power", /"NEM#x"/],
  ["a network code with a control character", "network NEM\u0000 -m power", /NEM\\u0000/],
  ["a network code with a percent", "network %2e%2e -m power --allow-unknown", /"%2e%2e"/],
  ["a network code of white space", "network \t -m power", /network code/],
  ["an unknown format", "network NEM -m power -f jsn", /"jsn".*json/],
  ["an unknown shape", "network NEM -m power --shape tall", /"tall".*\n.*long or wide/],
  ["an unknown zone", "network NEM -m power --time-zone Sydney/Australia", /"Sydney\/Australia"/],
  ["a limit that is none", "network NEM -m power -f table --limit 1.5", /--limit.*"1.5"/],
  ["a limit for csv", "network NEM -m power --limit 3", /--limit.*table or markdown\n.*csv/],
  ["a timeout that is none", "network NEM -m power --timeout soon", /--timeout.*"soon"/],
  ["negative retries", "network NEM -m power --retries -1", /--retries.*"-1"/],
  ["a base address that is none", "network NEM -m power --base-url localhost", /--base-url.*"localhost"/],
];

test.concurrent.for(CASES)("%s", async ([, args, says]) => {
  const service = await startService([]);
  const home = createHomeWithFile();
  const run = await home.run([...args.split(" "), "-o", "old.csv"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
  });
  expectError(run, 2, says);
  expectUntouched(home);
  expect(service.requests).toEqual([]);
});

test.skipIf(!HAS_SHELL)("a corrupt config file is named and left as it is", async () => {
  const home = createHomeWithFile();
  const config = home.path("corrupt.json");
  writeFileSync(config, "{");
  const { code, stdout, stderr } = await home.shell(
    "mkdir config; mv corrupt.json config/config.json; ents network NEM -m power -o old.csv; echo $?; cat old.csv config/config.json",
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: "2\nwhat was there\r\nbefore\n{" });
  expect(stderr).toContain(`${home.configFolder}/config.json is corrupt`);
});

// Node passes at most about 120,000 arguments to a function.
const MANY = 200_000;
const BATCHES = Math.ceil(MANY / 30);

describe.runIf(FULL)(`${MANY} codes, more than a call takes as arguments`, () => {
  const home = createHomeWithFile();
  writeFileSync(home.path("many.txt"), Array.from({ length: MANY }, (_, index) => `U${index}`).join("\n"));

  const refused = [
    [
      "as facilities and as units",
      "--unit-code @many.txt --facility-code @many.txt",
      new RegExp(`${(BATCHES * BATCHES).toLocaleString("en")} requests`),
    ],
    ["as metrics", "-m @many.txt", /"U0"/],
  ] as const;

  test.each(refused)("%s", async (_, flags, says) => {
    const run = await home.run(["facilities", "NEM", "-m", "power", ...flags.split(" "), "-o", "old.csv"], {
      env: { ENTS_TOKEN: TOKEN },
    });
    expectError(run, 2, says);
    expect(run.stdout).toBe("");
  });

  test("are sent in batches", async () => {
    const run = await home.run([
      "facilities",
      "NEM",
      "-m",
      "power",
      "--unit-code",
      "@many.txt",
      "--dry-run",
      "--no-header",
    ]);
    expect(run.code).toBe(0);
    expect(run.stdout.trimEnd().split("\n")).toHaveLength(BATCHES);
  });
});

test("30 codes are allowed, and repeated codes count once", async () => {
  const { code, stdout } = await runEnts([
    "facilities",
    "NEM",
    "-m",
    "power",
    "--unit-code",
    ...codes(30),
    ...codes(30),
    "--dry-run",
    "-q",
    "--no-header",
  ]);
  expect(code).toBe(0);
  expect(stdout.match(/unit_code=/g)).toHaveLength(30);
});
