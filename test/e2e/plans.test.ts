/**
 * `GET /v4/plans`: what login, whoami and list store of it, and what it is used for. Runs sequentially: ents waits two
 * seconds for the list, which concurrent tests could exceed on a slow machine.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { LIST } from "../facilities/body.ts";
import { runs } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { type Answer, startService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { POWER, refusal, TOKEN } from "./envelopes.ts";
import { listPlans } from "./plans.ts";
import { FIXED_INTERVALS, listDays } from "../support/intervals.ts";
import { HAS_SHELL, shownMode } from "../support/platform.ts";

const NOW = Date.UTC(2026, 0, 15);
/** Two years: 92 windows of 8 days. */
const WINDOW = [
  "network",
  "NEM",
  "-m",
  "power",
  "-i",
  "5m",
  "-s",
  "2024-01-01",
  "-e",
  "2025-12-31",
  "--dry-run",
  "-f",
  "json",
];

/** A home, and a service whose plans can change. */
async function startPlans(plans: Answer, plan = "ACADEMIC") {
  const state = { plans, plan, now: NOW };
  const service = await startService(({ url }) => {
    if (url === "/v4/plans") return state.plans;
    if (url === "/v4/facilities/") return LIST;
    return url === "/v4/me" ? { body: { data: { plan: state.plan } } } : POWER;
  });
  const home = createHome();
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    home.run(args, {
      env: { ENTS_BASE_URL: service.url, ...env },
      stdin: TOKEN,
      clock: { ...createVirtualClock(), now: () => state.now },
    });
  return {
    state,
    service,
    home,
    run,
    folder: home.path("cache/plans"),
    countPlans: () => service.requests.filter(({ url }) => url === "/v4/plans").length,
    /** What an export would do: its requests, their minimum time in seconds, and the note. */
    dryRun: async (...flags: string[]) => {
      const { stdout, stderr } = await run([...WINDOW, ...flags]);
      const { total } = JSON.parse(stdout) as { total: { requests: number; seconds: number } };
      return {
        requests: total.requests,
        seconds: total.seconds,
        share: /(\S+ % of .*) requests a day/.exec(stderr)?.[1],
      };
    },
  };
}

const COMMUNITY = { requests: 92, seconds: 46, share: "19 % of a community key's 500" };
const BUILT_IN = { requests: 25, seconds: 12, share: "2 % of an academic key's 2,000" };

test("a month's quota that the service names is in the limits, and in what a dry run says of cost and days", async () => {
  const plans = listPlans().map((plan) => ({ ...plan, daily_credits: 20, monthly_credits: 60 }));
  const { run } = await startPlans({ body: plans }, "COMMUNITY");
  await run(["login"]);
  expect((await run(["whoami"])).stdout).toContain("limits   20 requests a day, 60 a month, 2 a second;");
  const { stdout, stderr } = await run(WINDOW);
  expect(stderr).toContain(
    "460 % of a community key's 20 requests a day and 154 % of its 60 requests a month, at least 32 days; nothing was sent",
  );
  // 60 in the first month, and 32 on two days of the next.
  expect(JSON.parse(stdout)).toMatchObject({ total: { requests: 92, days: 32 } });
});

test("login stores it; windows, rate and quota of the key's plan follow it, without another request", async () => {
  const changes = {
    daily_credits: 90,
    burst_rate_limit: "7/s",
    bucket_limits: { "5m": 15, "1h": 100, "1d": 1000, "7d": 1000 },
  };
  const { run, dryRun, service } = await startPlans({ body: listPlans({ ACADEMIC: changes }) });
  expect(await dryRun()).toEqual(COMMUNITY);
  expect((await run(["login"])).stderr).toContain("; the default --rate is now 7 per second\n");
  expect(service.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ["/v4/me", `Bearer ${TOKEN}`],
    ["/v4/plans", undefined],
  ]);
  expect(await dryRun()).toEqual({ requests: 50, seconds: 7, share: "56 % of an academic key's 90" });
  expect(await dryRun("--max-window", "30d")).toMatchObject({ requests: 25 });
  await run(["config", "set", "max-window", "8d"]);
  expect(await dryRun()).toMatchObject({ requests: 92 });
  expect(service.requests).toHaveLength(2);
});

test("a real export follows it, without a request for it", async () => {
  const { run, service, state } = await startPlans({
    body: listPlans({ ACADEMIC: { daily_credits: 9, bucket_limits: { "1h": 1 } } }),
  });
  await run(["login"]);
  const before = service.requests.length;
  state.now += 30 * DAY;
  const { stderr } = await run([
    "network",
    "NEM",
    "-m",
    "power",
    "-i",
    "1h",
    "-s",
    "2025-01-01",
    "-e",
    "2025-01-04",
    "--rate",
    "1000",
  ]);
  expect(stderr).toContain("ents: note: 4 requests, up to 1 more, 45 % of an academic key's 9 requests a day\n");
  const asked = service.requests
    .slice(before)
    .map(({ url }) => new URL(url, service.url).searchParams.get("date_start") ?? "")
    .toSorted();
  expect(asked).toEqual(["2025-01-01T00:00:00", "2025-01-02T00:00:00", "2025-01-03T00:00:00", "2025-01-04T00:00:00"]);
});

test("whoami shows the limits, and stores them for a day", async () => {
  const { run, state, countPlans, dryRun } = await startPlans({
    body: listPlans({ ACADEMIC: { burst_rate_limit: "1/s", period_limit_days: 1500 } }),
  });
  await run(["login"]);
  const lines = async () => (await run(["whoami"])).stdout.split("\n").slice(-3, -1);
  const windows = `windows  ${describeDays("paid")}`;
  expect(await lines()).toEqual(["limits   2,000 requests a day, 1 a second; data of the last 1,500 days", windows]);
  state.plans = { body: listPlans({ ACADEMIC: { daily_credits: -1 } }) };
  state.now += 23 * HOUR;
  expect((await lines())[0]).toContain("2,000 requests a day, 1 a second");
  expect(countPlans()).toBe(1);
  state.now += 2 * HOUR;
  expect(await lines()).toEqual(["limits   2 requests a second; data of all years", windows]);
  expect(countPlans()).toBe(2);
  // Stored plans are used whatever their age, and however the service has changed.
  state.now += 400 * DAY;
  state.plans = refusal(404, "Not Found");
  expect((await lines())[0]).toBe("limits   2 requests a second; data of all years");
  expect(await dryRun()).toEqual({ requests: 25, seconds: 12, share: undefined });
});

test("for a plan that is not listed, ents uses its own list; for one that it does not know, the service's", async () => {
  const { run, state, dryRun } = await startPlans(
    { body: listPlans({ RESEARCH: { daily_credits: 50, bucket_limits: { "5m": 20 } } }) },
    "PRO",
  );
  await run(["login"]);
  expect(await dryRun()).toEqual({ requests: 25, seconds: 5, share: "1 % of a pro key's 5,000" });
  state.plan = "RESEARCH";
  await run(["whoami"]);
  expect(await dryRun()).toEqual({ requests: 37, seconds: 18, share: "74 % of a research key's 50" });
  // The community's limit of an interval that the service does not name.
  expect((await run(["whoami"])).stdout).toContain(
    `windows  20d at 5m, ${describeDays("community").replace(/^.*? at 5m, /, "")}\n`,
  );
});

test("the listed community plan applies to a key of unknown plan, and to requests without one", async () => {
  const { run, dryRun, home } = await startPlans(
    { body: listPlans({ COMMUNITY: { burst_rate_limit: "1/s", bucket_limits: { "5m": 4 } } }) },
    "NEW",
  );
  await run(["login"]);
  const expected = { requests: 184, seconds: 183 };
  expect(await dryRun()).toMatchObject(expected);
  rmSync(home.configFolder, { recursive: true });
  expect(await dryRun()).toMatchObject(expected);
});

test("list requests it with a new list only; an export that needs the list does not", async () => {
  const { run, countPlans, state, home, service } = await startPlans({ body: listPlans() });
  const env = { ENTS_TOKEN: TOKEN };
  await run(["facilities", "NEM", "-m", "power", "--facility", "bayswater"], env);
  expect([service.requests.length, countPlans()]).toEqual([2, 0]);
  expect((await run(["list", "facilities"], env)).code).toBe(0);
  expect(countPlans()).toBe(0);
  rmSync(home.path("cache"), { recursive: true });
  await run(["list", "units"], env);
  expect(countPlans()).toBe(1);
  await run(["list", "units", "--refresh"], env);
  expect(countPlans()).toBe(1);
  state.now += 2 * DAY;
  await run(["list", "facilities"], env);
  expect(countPlans()).toBe(2);
});

test("a dry run says if the plan does not reach back to the start, and where it does", async () => {
  const { run } = await startPlans({ body: listPlans({ ACADEMIC: { period_limit_days: 1500 } }) });
  await run(["login"]);
  const warning = async (start: string, env = {}) => {
    const { stderr } = await run(
      ["market", "NEM", "-m", "price", "-i", "1h", "-s", start, "-e", "2026-01-10", "--dry-run"],
      env,
    );
    return /(?<=warning: ).*refuse.*/.exec(stderr)?.[0];
  };
  expect(await warning("2021-12-01")).toBe(
    "with an academic key, the service will refuse this start: it has data of the last 1,500 days; the earliest start allowed is 2021-12-07T11:00",
  );
  expect(await warning("2021-12-08")).toBeUndefined();
  expect(await warning("2015", { ENTS_BASE_URL: "https://v4.example.org" })).toBeUndefined();
  const ofPublic = { ENTS_BASE_URL: "https://api.openelectricity.org.au" };
  expect(await warning("2024-01-10", ofPublic)).toContain("with a community key, the service will refuse this start");
  expect(await warning("2024-01-17", ofPublic)).toBeUndefined();
});
const change = (path: string, value: unknown) => ({
  body: listPlans({ ACADEMIC: path === "" ? (value as object) : { [path]: value } }),
});
const BAD: readonly [what: string, answer: Answer][] = [
  ["that is not there", refusal(404, "Not Found")],
  ["that fails", refusal(503, "later", { "retry-after": "60" })],
  ["that asks for a token", refusal(401, "Not authenticated")],
  ["that is reset", { instead: "reset" }],
  ["that is cut", { body: listPlans(), end: "hang up" }],
  ["that is a page", { body: "<!doctype html>" }],
  ["that is elsewhere", { status: 302, headers: { location: "https://example.org/" } }],
  ["that is empty", { body: [] }],
  ["of another shape", { body: { plans: listPlans() } }],
  ["of texts", { body: ["COMMUNITY", "ACADEMIC"] }],
  ["of nothings", { body: [null] }],
  ["of lists", { body: [[], []] }],
  ["that is huge", { body: [...listPlans(), { ...listPlans()[0], code: "LONG", description: "x".repeat(100_000) }] }],
  ["with a quota of none", change("daily_credits", 0)],
  ["with a quota below none", change("daily_credits", -2)],
  ["with a quota in letters", change("daily_credits", "2000")],
  ["with half a request", change("daily_credits", 0.5)],
  ["with a quota past all numbers", { body: JSON.stringify(listPlans()).replace("2000", "1e400") }],
  ["without a quota", change("daily_credits", undefined)],
  ["with a rate of none", change("burst_rate_limit", "0/s")],
  ["with a negative rate", change("burst_rate_limit", "-2/s")],
  ["with a rate by the minute", change("burst_rate_limit", "120/minute")],
  ["with a rate past all numbers", change("burst_rate_limit", `${"9".repeat(400)}/s`)],
  ["with a rate that is a number", change("burst_rate_limit", 2)],
  ["with a history of none", change("period_limit_days", 0)],
  ["with a history that is a text", change("period_limit_days", "730")],
  ["without windows", change("bucket_limits", null)],
  ["with windows that are a number", change("bucket_limits", 8)],
  ["with a window of none", change("bucket_limits", { "5m": 0 })],
  ["with a negative window", change("bucket_limits", { "5m": -1 })],
  ["with a window that is a text", change("bucket_limits", { "5m": "8" })],
  ["with half a day", change("bucket_limits", { "1d": 0.5 })],
  ["with a window shorter than its bucket", change("bucket_limits", { "7d": 6 })],
  ["with a code that no terminal may get", change("code", "\u001b[31mACADEMIC")],
  ["with a code that is a number", change("code", 5)],
];

test.for(BAD.filter((_, index) => index % runs(4, 1) === 0))(
  "an answer %s is ignored: silently, nothing is stored, and ents uses its own limits",
  async ([, answer]) => {
    const { run, dryRun, folder, state } = await startPlans(answer);
    const login = await run(["login"]);
    expect(login).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/plans|warning/) as string });
    expect(await dryRun()).toEqual(BUILT_IN);
    expect(await run(["whoami"])).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(folder)).toBe(false);
    // A damaged list of plans does not replace a good one.
    state.plans = { body: listPlans({ ACADEMIC: { daily_credits: 50 } }) };
    await run(["whoami"]);
    state.plans = answer;
    state.now += 3 * DAY;
    expect((await run(["whoami"])).stdout).toContain("limits   50 requests a day");
    expect((await dryRun()).share).toBe("50 % of an academic key's 50");
  },
);

test("a silent service is waited for two seconds, once", async () => {
  const { run } = await startPlans({ instead: "stall" });
  const started = performance.now();
  expect(await run(["login"])).toMatchObject({ code: 0 });
  expect(performance.now() - started).toBeGreaterThan(1900);
});

const DAMAGES: readonly (readonly [what: string, damage: (path: string) => void])[] = [
  ["is empty", (path) => writeFileSync(path, "")],
  ["is cut", (path) => writeFileSync(path, readFileSync(path).subarray(0, -9))],
  [
    "is of another service",
    (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"service":"http://127', '"service":"http://128')),
  ],
  [
    "is of another version",
    (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"version":2', '"version":1')),
  ],
  ["has no plans", (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"plans"', '"planes"'))],
  [
    "has a plan that cannot be true",
    (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"5m":15', '"5m":0')),
  ],
  ["is huge", (path) => writeFileSync(path, readFileSync(path, "utf8") + " ".repeat(100_000))],
  [
    "is a named pipe",
    (path) => {
      rmSync(path);
      execFileSync("mkfifo", [path]);
    },
  ],
  [
    "is a folder",
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
];

test.for(DAMAGES.filter(([what]) => HAS_SHELL || what !== "is a named pipe"))(
  "a stored list that %s is ignored, and fetched again",
  async ([, damage]) => {
    const { run, dryRun, folder, countPlans } = await startPlans({
      body: listPlans({ ACADEMIC: { bucket_limits: { "5m": 15 } } }),
    });
    await run(["login"]);
    const [name = ""] = readdirSync(folder);
    const path = join(folder, name);
    expect(statSync(path).mode & 0o777).toBe(shownMode(0o600));
    expect(await dryRun()).toMatchObject({ requests: 50 });
    damage(path);
    expect(await dryRun()).toEqual(BUILT_IN);
    expect(await run(["whoami"])).toMatchObject({ code: 0, stderr: "" });
    expect(countPlans()).toBe(2);
  },
);

test("a list that cannot be stored is not an error", async () => {
  const { run, home } = await startPlans({ body: listPlans({ ACADEMIC: { daily_credits: 77 } }) });
  writeFileSync(home.path("cache"), "a file where a folder is to be");
  await run(["login"]);
  const { code, stdout, stderr } = await run(["whoami"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("limits   77 requests a day");
});

/** `30d at 5m, 365d at 1h, 3650d at 1d, 3650d at 7d` */
function describeDays(key: "community" | "paid"): string {
  return Object.entries(listDays(key, FIXED_INTERVALS))
    .map(([interval, days]) => `${days}d at ${interval}`)
    .join(", ");
}
