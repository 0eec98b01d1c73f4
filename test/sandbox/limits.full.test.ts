/** A plan's limits, in the words of the public service. */
import { afterAll, expect, test } from "vitest";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/sandbox.ts";
import { DAY, formatLocalTime } from "../../src/time/local-time.ts";
import { type ListedInterval, INTERVALS } from "../../src/base/intervals.ts";
import { askRaw, NOW, type Query, startStill } from "./ask.ts";

const started: Sandbox[] = [];
afterAll(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()));
});

async function start(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startStill(options);
  started.push(sandbox);
  return sandbox;
}

const TOO_OLD = "Date start is too far in the past. Your plan allows data from the last 730 days.";

async function askMarket(sandbox: Sandbox, query: Query): Promise<{ status: number; error: string | null }> {
  const response = await askRaw(sandbox, "/market/network/NEM", { metrics: "price", network_region: "SA1", ...query });
  const { error } = (await response.json()) as { error: string | null };
  return { status: response.status, error };
}

const names = Object.keys(INTERVALS) as ListedInterval[];
const limits = [
  ...names.map((interval) => ["community", interval, INTERVALS[interval].maxDays.community] as const),
  ...names.map((interval) => ["academic", interval, INTERVALS[interval].maxDays.paid] as const),
];
test.concurrent.each(limits)("%s: %s covers up to %i days", async (plan, interval, days) => {
  const sandbox = await start({ plan });
  const windowOf = (length: number) => ({
    date_start: formatLocalTime(NOW - 700 * DAY),
    date_end: formatLocalTime(NOW - 700 * DAY + length),
  });
  const message = `Date range too large for ${interval} interval. Maximum range is ${days} days.`;
  expect(await askMarket(sandbox, { interval, ...windowOf((days + 1) * DAY) })).toEqual({
    status: 400,
    error: message,
  });
});

test.concurrent("community reaches back 730 days, academic further", async () => {
  const query = {
    interval: "1h",
    date_start: formatLocalTime(NOW - 731 * DAY),
    date_end: formatLocalTime(NOW - 730 * DAY),
  };
  expect(await askMarket(await start({ plan: "community" }), query)).toEqual({ status: 400, error: TOO_OLD });
  expect((await askMarket(await start({ plan: "academic" }), query)).status).toBe(200);
  expect(
    (
      await askMarket(await start({ plan: "community" }), {
        ...query,
        date_start: formatLocalTime(NOW - 729 * DAY),
        date_end: formatLocalTime(NOW - 728 * DAY),
      })
    ).status,
  ).toBe(200);
});

test("two requests a second: more are a 429 that says when to retry", async () => {
  let now = NOW;
  const sandbox = await start({ plan: "academic", now: () => now });
  const responses = await Promise.all(Array.from({ length: 12 }, () => askRaw(sandbox, "/me")));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused.map(({ headers }) => headers.get("retry-after"))).toEqual(Array.from({ length: 10 }, () => "1"));
  now += 1000;
  expect((await askRaw(sandbox, "/me")).status).toBe(200);
  // A clock that goes back takes nothing away.
  now -= 10_000;
  expect((await askRaw(sandbox, "/me")).status).toBe(200);
});

test.concurrent("me shows what is left", async () => {
  const sandbox = await start({ plan: "community" });
  await askMarket(sandbox, {});
  const { data } = (await (await askRaw(sandbox, "/me")).json()) as { data: unknown };
  expect(data).toMatchObject({
    plan: "COMMUNITY",
    rate_limit: { limit: 2 },
    credits: { remaining: 499, reset: "2026-03-02T00:00:00.000Z" },
  });
});
