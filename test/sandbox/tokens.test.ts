/** Which requests need a token: networks and markets answer anybody, with the limits of a community key. */
import { afterAll, expect, test } from "vitest";
import type { Sandbox, SandboxPlan } from "../../src/sandbox/sandbox.ts";
import { DAY, formatLocalTime } from "../../src/time/local-time.ts";
import { askRaw, errorBody, NOW, type Query, startStill, urlOf } from "./ask.ts";

const started: Sandbox[] = [];
afterAll(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()));
});

async function start(plan: SandboxPlan = "none"): Promise<Sandbox> {
  const sandbox = await startStill({ plan });
  started.push(sandbox);
  return sandbox;
}

interface Asked {
  readonly path: string;
  readonly query?: Query;
  readonly authorization?: string | undefined;
}

async function answerTo(
  sandbox: Sandbox,
  { path, query = {}, authorization }: Asked,
): Promise<{ status: number; body: unknown }> {
  const headers = authorization === undefined ? {} : { headers: { authorization } };
  const response = await fetch(urlOf(sandbox, path, query), headers);
  return { status: response.status, body: await response.json() };
}

const daysBack = (days: number) => formatLocalTime(NOW - days * DAY);
const ANONYMOUS = [undefined, "Bearer", "sandbox-token", "Basic sandbox-token"];
const OPEN = [
  { path: "/data/network/NEM", query: { metrics: "power" } },
  { path: "/market/network/NEM", query: { metrics: "price" } },
];
const WITH_KEY = ["/data/facilities/NEM", "/facilities/", "/me"].map((path) => ({
  path,
  query: { metrics: "power", unit_code: "BW01" },
}));
test.each(OPEN)("$path gives the same without a token", async ({ path, query }) => {
  const sandbox = await start();
  const window = { ...query, date_start: daysBack(8), date_end: daysBack(7) };
  const keyed = await (await askRaw(sandbox, path, window)).json();
  for (const authorization of ANONYMOUS) {
    expect(await answerTo(sandbox, { path, query: window, authorization })).toEqual({ status: 200, body: keyed });
  }
});

test.each(["none", "community", "academic"] as const)(
  "anybody has the community's windows and history, whatever the plan (%s)",
  async (plan) => {
    const sandbox = await start(plan);
    for (const { path, query } of OPEN) {
      const long = { ...query, date_start: daysBack(20), date_end: daysBack(11) };
      const old = { ...query, date_start: daysBack(731), date_end: daysBack(730) };
      expect(await answerTo(sandbox, { path, query: long })).toEqual({
        status: 400,
        body: errorBody("Maximum range is 8 days."),
      });
      expect(await answerTo(sandbox, { path, query: old })).toEqual({
        status: 400,
        body: errorBody("from the last 730 days."),
      });
      expect(await answerTo(sandbox, { path, query: { ...query, interval: "season" } })).toMatchObject({ status: 400 });
    }
  },
);

test.each(WITH_KEY)("$path without a token is a 403", async (asked) => {
  const sandbox = await start();
  for (const authorization of ANONYMOUS) {
    expect(await answerTo(sandbox, { ...asked, authorization })).toEqual({
      status: 403,
      body: errorBody("Not authenticated"),
    });
  }
});

test.each([...OPEN, ...WITH_KEY])("$path with a wrong token is a 401", async (asked) => {
  const answer = await answerTo(await start(), { ...asked, authorization: "Bearer other" });
  expect(answer).toEqual({ status: 401, body: errorBody("Authentication failed") });
});
