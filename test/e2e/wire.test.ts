/** The exact requests: v4's paths, repeated parameters, and nothing that was not asked for. */
import { expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { POWER, TOKEN } from "./envelopes.ts";

/** The request lines of one command, which must succeed. */
async function listUrls(args: string, stdin?: string): Promise<string[]> {
  const service = await startService(() => POWER);
  const home = createHome();
  const run = await home.run(args.split(" "), {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
    ...(stdin === undefined ? {} : { stdin }),
  });
  const told = run.stderr.replaceAll(
    /^ents: note: (?:no (?:interval and no )?window was given|AU has no price of its own).*\n/gm,
    "",
  );
  expect({ code: run.code, told }).toEqual({ code: 0, told: "" });
  return service.requests.map(({ url }) => decodeURIComponent(url));
}

const DATA = "/v4/data/network/NEM?metrics=power";

const CASES: readonly [name: string, args: string, url: string][] = [
  ["network, with what is required", "network NEM --metrics power", DATA],
  ["facilities, with what is required", "facilities WEM -m energy", "/v4/data/facilities/WEM?metrics=energy"],
  ["market, with what is required", "market AU -m price", "/v4/market/network/AU?metrics=price"],
  [
    "network, with everything",
    "network NEM -m power energy -i 1d -s 2025-01-30 -e 2025-01-31 -r NSW1 --fueltech wind hydro --fueltech-group coal,gas --primary-grouping network_region --secondary-grouping fueltech",
    `${DATA}&metrics=energy&interval=1d&date_start=2025-01-30T00:00:00&date_end=2025-01-31T23:59:59&network_region=NSW1&fueltech=wind&fueltech=hydro&fueltech_group=coal&fueltech_group=gas&primary_grouping=network_region&secondary_grouping=fueltech`,
  ],
  [
    "facilities, with everything",
    "facilities NEM -m power -i 5m -s 2025-01-31T14:05 -e 2025-01-31T15:00:30 --facility-code BAYSW ERARING --unit-code BW01",
    "/v4/data/facilities/NEM?metrics=power&interval=5m&date_start=2025-01-31T14:05:00&date_end=2025-01-31T15:00:30&facility_code=BAYSW&facility_code=ERARING&unit_code=BW01",
  ],
  [
    "market, with everything",
    "market NEM -m price demand -i 1M -s 2025 -e 2025-01 -r SA1 --primary-grouping network",
    "/v4/market/network/NEM?metrics=price&metrics=demand&interval=1M&date_start=2025-01-01T00:00:00&date_end=2025-01-31T23:59:59&network_region=SA1&primary_grouping=network",
  ],
  [
    "values after spaces, after commas and repeated, once each",
    "network NEM -m power,energy --metrics energy emissions -m power",
    `${DATA}&metrics=energy&metrics=emissions`,
  ],
  ["an output flag is not sent", "network NEM -m power -f json --time-zone utc", DATA],
  ["a metric that ents takes for another endpoint's", "market NEM -m power", "/v4/market/network/NEM?metrics=power"],
  [
    "an offset, converted",
    "network NEM -m power -s 2025-01-01T00:00Z -e 2025-01-01T12:30+11:00",
    `${DATA}&date_start=2025-01-01T10:00:00&date_end=2025-01-01T11:30:00`,
  ],
  [
    "an offset of the western network, converted",
    "network WEM -m power -s 2025-01-01T00:00+10:00",
    "/v4/data/network/WEM?metrics=power&date_start=2024-12-31T22:00:00",
  ],
  [
    "a code that needs escaping",
    "network N&M -m power -r a=b",
    "/v4/data/network/N&M?metrics=power&network_region=a=b",
  ],
];

test.concurrent.for(CASES)("%s", async ([, args, url]) => {
  expect(await listUrls(args)).toEqual([url]);
});

test.concurrent("--last begins on an interval and leaves the end to the service", async () => {
  const before = Date.now();
  const [url = ""] = await listUrls("network NEM -m power -i 1h --last 2d -q");
  const [, start = ""] =
    /^\/v4\/data\/network\/NEM\?metrics=power&interval=1h&date_start=(\d{4}-\d\d-\d\dT\d\d:00:00)$/.exec(url) ?? [];
  const instant = Date.parse(`${start}+10:00`);
  expect(instant).toBeLessThanOrEqual(Date.now() - 48 * 3_600_000);
  expect(instant).toBeGreaterThan(before - 49 * 3_600_000);
});

test.concurrent("times relative to now use the network's clock", async () => {
  const day = (offsetDays: number) =>
    new Date(Date.now() + 10 * 3_600_000 + offsetDays * 86_400_000).toISOString().slice(0, 10);
  const expected = day(-1);
  const [url] = await listUrls("network NEM -m power -s yesterday -e yesterday");
  // Midnight may have passed in between.
  expect([expected, day(-1)].map((date) => `${DATA}&date_start=${date}T00:00:00&date_end=${date}T23:59:59`)).toContain(
    url,
  );
});

test.concurrent("a relative start is the start of its interval", async () => {
  const before = Date.now();
  const [url = ""] = await listUrls("network NEM -m power -s -7d");
  const start = Date.parse(`${url.replace(/^.*date_start=/, "")}+10:00`);
  expect(start % 300_000).toBe(0);
  expect(start).toBeLessThanOrEqual(Date.now() - 7 * 86_400_000);
  expect(start).toBeGreaterThan(before - 7 * 86_400_000 - 300_000);
});

test.concurrent("the headers: a bearer token, and what any client sends", async () => {
  const service = await startService(() => POWER);
  const run = await createHome().run(["network", "NEM", "-m", "power", "-q"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: `${service.url}/v4/` },
  });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  const [request] = service.requests;
  expect(request).toMatchObject({ method: "GET", url: DATA });
  expect(request?.headers).toEqual({
    host: new URL(service.url).host,
    connection: "keep-alive",
    authorization: `Bearer ${TOKEN}`,
    "user-agent": expect.stringMatching(/^ents\/\d+\.\d+\.\d+$/) as string,
    accept: "application/json",
    "accept-encoding": "gzip",
  });
});

test.concurrent("a base address with a path of its own", async () => {
  const service = await startService(() => POWER);
  await createHome().run(["network", "NEM", "-m", "power", "--base-url", `${service.url}/energy/`], {
    env: { ENTS_TOKEN: TOKEN },
  });
  expect(service.requests.map(({ url }) => url)).toEqual([`/energy${DATA}`]);
});

test.concurrent("a redirect inside the origin is followed, with the token", async () => {
  const service = await startService(({ url }) =>
    url.startsWith("/v4") ? { status: 307, headers: { location: "/moved?x=1" } } : POWER,
  );
  const run = await createHome().run(["network", "NEM", "-m", "power", "--no-header", "-q"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
  });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(service.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    [DATA, `Bearer ${TOKEN}`],
    ["/moved?x=1", `Bearer ${TOKEN}`],
  ]);
});
