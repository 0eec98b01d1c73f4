/**
 * A key's plan: what `ents login` and `ents whoami` show of it, its rate, and the share of its quota that a long export
 * takes.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { INTERVALS, type ListedInterval } from "../../src/base/intervals.ts";
import { FETCH_OPTIONS } from "../../src/options/fetch-options.ts";
import { parseOptions } from "../../src/options/parse.ts";
import { resolveFetch, findKeyLimits } from "../../src/settings/key-limits.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { formatDuration } from "../../src/time/duration.ts";
import { startWorldService, type Play } from "../faults/world-service.ts";
import { createGate } from "../support/gate.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { POWER, refusal, TOKEN } from "./envelopes.ts";
import { CALENDAR_INTERVALS, FIXED_INTERVALS, listDays } from "../support/intervals.ts";
import { HAS_MODES } from "../support/platform.ts";

interface Config {
  readonly tokens: Record<string, string>;
  readonly plans?: Record<string, string>;
}

const readConfig = (home: Home) => JSON.parse(readFileSync(`${home.configFolder}/config.json`, "utf8")) as Config;

/** A service that names a plan, which a test can change. */
async function startPlanService(plan: string) {
  const state = { plan };
  const service = await startService(({ url }) =>
    url === "/v4/me" ? { body: { data: { plan: state.plan } } } : POWER,
  );
  return { service, state, options: { env: { ENTS_BASE_URL: service.url }, stdin: TOKEN } };
}

test.concurrent("login stores the plan; another login replaces it, and logout deletes it", async () => {
  const { service, state, options } = await startPlanService("PRO");
  const home = createHome();
  expect((await home.run(["login"], options)).stderr).toMatch(
    /config\.json; the default --rate is now 5 per second\n$/,
  );
  expect(readConfig(home).plans).toEqual({ [service.url]: "pro" });
  state.plan = "COMMUNITY";
  expect((await home.run(["login"], options)).stderr).toMatch(
    /config\.json; the default --rate is now 2 per second\n$/,
  );
  await home.run(["login", "--no-verify"], options);
  expect(readConfig(home)).not.toHaveProperty("plans");
  state.plan = "Something new";
  expect((await home.run(["login"], options)).stderr).toMatch(/\(plan: something new\)\n.*config\.json\n$/);
  state.plan = "ENTERPRISE";
  await home.run(["login"], options);
  await home.run(["logout"], options);
  expect(readConfig(home)).toEqual({ config: {}, tokens: {} });
});

test.skipIf(process.getuid?.() === 0 || !HAS_MODES)("a plan that cannot be stored is a warning to whoami", async () => {
  const { state, options } = await startPlanService("COMMUNITY");
  const home = createHome();
  await home.run(["login"], options);
  state.plan = "PRO";
  chmodSync(home.configFolder, 0o500);
  const { code, stdout, stderr } = await home.run(["whoami"], options);
  chmodSync(home.configFolder, 0o700);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^ents: warning: .*permission denied/) as string,
  });
  expect(stdout).toContain("plan     pro\n");
});

test.concurrent.for<[place: string, data: object, headers: Record<string, string>, line: string | undefined]>([
  ["credits", { credits: { remaining: 437, reset: "2026-01-01" } }, {}, "credits  437 left today"],
  ["credits as text", { credits: { remaining: "437" } }, {}, "credits  437 left today"],
  ["a number of credits", { credits: 437 }, {}, "credits  437 left today"],
  ["meta, as of older versions", { meta: { remaining: 0 } }, {}, "credits  0 left today"],
  ["a quota", { quota: { remaining: 12 } }, {}, "credits  12 left today"],
  ["a header", {}, { "x-ratelimit-remaining": "99" }, "requests 99 left"],
  ["a standard header", {}, { "RateLimit-Remaining": "98" }, "requests 98 left"],
  ["credits before a header", { credits: { remaining: 5 } }, { "ratelimit-remaining": "98" }, "credits  5 left today"],
  ["nowhere", { credits: null, meta: "soon" }, { "x-ratelimit-remaining": "many" }, undefined],
])("whoami shows what is left of a quota, from %s", async ([, data, headers, line]) => {
  for (const wraps of [true, false]) {
    const service = await startService(({ url }) =>
      url === "/v4/me" ? { body: wraps ? { data } : { id: "x", ...data }, headers } : refusal(404, "Not Found"),
    );
    const { stdout } = await createHome().run(["whoami"], { env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN } });
    expect(/^(?:credits|requests).*$/m.exec(stdout)?.[0]).toBe(line);
  }
});

test.concurrent("whoami updates the plan of the stored token, and of no other", async () => {
  const { service, state, options } = await startPlanService("COMMUNITY");
  const home = createHome();
  await home.run(["login"], options);
  expect(await home.run(["whoami"], options)).toMatchObject({ code: 0, stderr: "" });
  state.plan = "ENTERPRISE";
  const other = { env: { ...options.env, ENTS_TOKEN: "another-token-123" } };
  expect(await home.run(["whoami"], other)).toMatchObject({ code: 0, stderr: "" });
  expect(readConfig(home).plans).toEqual({ [service.url]: "community" });
  expect((await home.run(["whoami"], options)).stderr).toBe(
    `ents: note: plan for ${service.url} stored in ${home.path("config/config.json")}; the default --rate is now 10 per second\n`,
  );
  expect(readConfig(home).plans).toEqual({ [service.url]: "enterprise" });
  state.plan = "a new one";
  expect((await home.run(["whoami"], options)).stderr).toContain("the default --rate is now 2 per second\n");
  expect(readConfig(home)).toMatchObject({ tokens: { [service.url]: TOKEN } });
  expect(readConfig(home)).not.toHaveProperty("plans");
});

test.concurrent.for([
  [{ plan: 7, credits: { remaining: 5 } }, "accepted by"],
  [{ plan: " pro ", credits: "none" }, "(plan: pro)"],
  [{ plan: "PRO", credits: { remaining: "5" } }, "(plan: pro)"],
])("an account with fields of other types means that the token is accepted: %o", async ([data, told]) => {
  const service = await startService(() => ({ body: { data } }));
  const home = createHome();
  const { code, stderr } = await home.run(["login"], { env: { ENTS_BASE_URL: service.url }, stdin: TOKEN });
  expect(code).toBe(0);
  expect(stderr).toContain(told as string);
});

const WINDOW = [
  "network",
  "NEM",
  "-m",
  "power",
  "-i",
  "5m",
  "-s",
  "2025-01-01T00:00",
  "-e",
  "2025-01-03T03:59:59",
  "--max-window",
  "1h",
];
const NOTE = "ents: note: 52 requests, up to 1 more, 11 % of a community key's 500 requests a day\n";

async function startExport(plans: Record<string, string>, play?: Play) {
  const service = await startWorldService(play ? { play } : {});
  const home = createHome();
  mkdirSync(home.configFolder);
  const plan = Object.fromEntries(Object.values(plans).map((name) => [service.url, name]));
  writeFileSync(`${home.configFolder}/config.json`, JSON.stringify({ tokens: { [service.url]: TOKEN }, plans: plan }));
  const run = (...flags: string[]) => home.run([...WINDOW, "--base-url", service.url, ...flags]);
  return { service, home, run };
}

test.concurrent("more than a tenth of a day's quota is noted once, before the first request", async () => {
  const { service, run } = await startExport({ here: "community" }, () =>
    service.requests.length === 1 ? refusal(403, "No") : undefined,
  );
  expect((await run("--concurrency", "1")).stderr).toMatch(new RegExp(`^${NOTE}ents: the token stored`));
  expect(service.requests).toHaveLength(1);
  expect((await run()).stderr).toBe(NOTE);
});
const PUBLIC = "https://api.openelectricity.org.au";
/** No lists are stored there. */
const around = { env: { ENTS_CACHE_DIR: "/nowhere" }, cwd: "/" };
const NOTHING: Settings = { config: {}, tokens: {}, path: undefined, env: {} };
const limitsWith = (settings: Partial<Settings>, flags: Record<string, unknown> = {}) =>
  findKeyLimits(parseOptions(FETCH_OPTIONS, flags), { ...NOTHING, ...settings }, around);

test("on the public service, a key of unknown plan counts as a community key's; elsewhere, in the sandbox and without a key, no quota is known", () => {
  const [tokens, plans] = [{ [PUBLIC]: TOKEN }, { [PUBLIC]: "academic" }];
  const tell = (...given: Parameters<typeof limitsWith>) => {
    const { plan, isCounted } = limitsWith(...given);
    return `${plan}, ${isCounted ? "counted" : "not counted"}`;
  };
  expect(tell({ tokens })).toBe("community, counted");
  expect(tell({ tokens, plans })).toBe("academic, counted");
  expect(tell({ tokens, plans: { [PUBLIC]: "a new one" } })).toBe("community, counted");
  expect(tell({ tokens, plans, env: { ENTS_TOKEN: TOKEN } })).toBe("community, counted");
  expect(tell({})).toBe("community, not counted");
  // The token was removed from the file.
  expect(tell({ plans })).toBe("community, not counted");
  expect(tell({ tokens, plans }, { baseUrl: "https://v4.example.org" })).toBe("community, not counted");
  expect(tell({ tokens, plans }, { sandbox: true })).toBe("community, not counted");
});

function resolveWith(settings: Partial<Settings>, flags: Record<string, unknown> = {}, interval?: ListedInterval) {
  const keyLimits = limitsWith(settings, flags);
  return resolveFetch(parseOptions(FETCH_OPTIONS, flags), { ...NOTHING, ...settings }, { interval, keyLimits });
}

test("the sandbox has no rate limit, unless the flag sets one", () => {
  const config = { rate: "5" };
  expect(resolveWith({ config }, { sandbox: true }).rate).toBeUndefined();
  expect(resolveWith({ config }, { sandbox: true, rate: "3" }).rate).toBe(3);
  expect(resolveWith({ config }).rate).toBe(5);
});

const DEFAULTS = listDays("community", FIXED_INTERVALS);

test("the default window of one request is that of the key's plan, and none for months and longer", () => {
  const windowsOf = (settings: Partial<Settings>) =>
    Object.fromEntries(
      Object.keys(INTERVALS).flatMap((interval) => {
        const { maxWindow } = resolveWith(settings, {}, interval as ListedInterval);
        if (typeof maxWindow === "object" && maxWindow.unit !== "days")
          throw new Error(`${interval} has ${maxWindow.unit}`);
        return typeof maxWindow === "object" ? [[interval, maxWindow.amount]] : [];
      }),
    );
  const tokens = { [PUBLIC]: TOKEN };
  for (const settings of [{}, { tokens }, { tokens, plans: { [PUBLIC]: "community" } }])
    expect(windowsOf(settings)).toEqual(DEFAULTS);
  const paid = listDays("paid", FIXED_INTERVALS);
  for (const plan of ["pro", "academic", "enterprise"])
    expect(windowsOf({ tokens, plans: { [PUBLIC]: plan } })).toEqual(paid);
  expect(windowsOf({ tokens, plans: { [PUBLIC]: "pro" }, env: { ENTS_TOKEN: TOKEN } })).toEqual(DEFAULTS);
  expect(resolveWith({ tokens, plans: { [PUBLIC]: "pro" } }).maxWindow).toBeUndefined();
});

test("a stored window applies to intervals that fit into it, the flag to all", () => {
  const isStored = (stored: string, interval: ListedInterval) => {
    const { maxWindow } = resolveWith({ config: { "max-window": stored } }, {}, interval);
    return (typeof maxWindow === "object" ? formatDuration(maxWindow) : maxWindow) === stored;
  };
  const fitting = (stored: string) =>
    Object.keys(INTERVALS).filter((interval) => isStored(stored, interval as ListedInterval));
  expect(fitting("4m")).toEqual([]);
  expect(fitting("30d")).toEqual(FIXED_INTERVALS);
  expect(fitting("31d")).toEqual([...FIXED_INTERVALS, "1M"]);
  expect(fitting("91d")).toEqual(fitting("31d"));
  for (const quarter of ["92d", "3M", "365d"]) expect(fitting(quarter)).toEqual([...FIXED_INTERVALS, "1M", "3M"]);
  for (const year of ["366d", "12M", "1y", "none"]) expect(fitting(year)).toEqual(Object.keys(INTERVALS));
  const flagged = resolveWith({ config: { "max-window": "30d" } }, { maxWindow: "8d" }, "1M");
  expect(flagged.maxWindow).toEqual({ amount: 8, unit: "days" });
});

test.concurrent("a stored window shorter than a month does not rule out months; the flag does", async () => {
  const home = createHome();
  expect(await home.run(["config", "set", "max-window", "30d"])).toMatchObject({ code: 0 });
  const plan = (interval: string, ...flags: string[]) =>
    home.run([
      "market",
      "NEM",
      "-m",
      "price",
      "-i",
      interval,
      "-s",
      "2024",
      "-e",
      "2024",
      "--dry-run",
      "--no-header",
      "-q",
      "-f",
      "csv",
      ...flags,
    ]);
  const count = async (interval: string) => (await plan(interval)).stdout.split("\n").length - 1;
  expect(await count("1d")).toBe(13);
  for (const interval of CALENDAR_INTERVALS) expect(await count(interval)).toBe(1);
  expect(await plan("1M", "--max-window", "30d")).toMatchObject({ code: 2 });
});

test.concurrent("the rate is the first of: flag, config, plan, two a second", async () => {
  const { home, run } = await startExport({ here: "pro" });
  const seconds = async (...flags: string[]) =>
    /at least (.*) at this rate/.exec((await run("--dry-run", ...flags)).stderr)?.[1];
  expect(await seconds()).toBe("11 s");
  await home.run(["config", "set", "rate", "0.5"]);
  expect(await seconds()).toBe("2 min");
  expect(await seconds("--rate", "51")).toBe("1 s");
  await home.run(["config", "unset", "rate"]);
  const withToken = await home.run([...WINDOW, "--dry-run"], { env: { ENTS_TOKEN: TOKEN } });
  expect(withToken.stderr).toContain("at least 26 s at this rate");
});

test.concurrent("ents config set concurrency applies to exports, and the flag overrides it", async () => {
  const home = createHome();
  await home.run(["config", "set", "concurrency", "1"]);
  for (const [flags, atOnce] of [
    [[], 1],
    [["--concurrency", "3"], 3],
  ] as const) {
    const gate = createGate();
    const service = await startWorldService({ play: ({ good }) => ({ ...good, after: gate.opened }) });
    const args = [...WINDOW.slice(0, 8), "-e", "2025-01-01T07:59:59", "--max-window", "1h", "--rate", "1000", ...flags];
    const run = home.run(args, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url } });
    await service.received(atOnce);
    await sleep(100);
    expect(service.requests).toHaveLength(atOnce);
    gate.open();
    expect(await run).toMatchObject({ code: 0 });
  }
});
