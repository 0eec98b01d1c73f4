/** `ents sandbox --now`: its clock starts there and runs on; data, plan limits and quota follow it. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHome, runEnts } from "../support/run-ents.ts";
import { atEndOfFile } from "../support/cleanup.ts";
import { FULL, runs } from "../support/extent.ts";

interface Served {
  readonly told: string;
  readonly get: (path: string) => Promise<{ readonly status: number; readonly body: Body }>;
}

interface Body {
  readonly created_at: string;
  readonly error: string;
  readonly data: readonly { readonly date_end: string }[];
}

async function serve(...flags: readonly string[]): Promise<Served> {
  const { child, finished } = createHome().start(["sandbox", ...flags]);
  atEndOfFile(() => child.kill() && finished);
  const told = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name]?.on("data", (text: string) => (told[name] += text));
  while (!told.stdout.includes("token") || !told.stderr.includes("\n"))
    await once(child.stderr as NodeJS.ReadableStream, "data");
  const [, address, token] = /^base address +(\S+)\ntoken +(\S+)/.exec(told.stdout) ?? [];
  return {
    told: told.stderr,
    get: async (path) => {
      const response = await fetch(`${address}/v4${path}`, { headers: { authorization: `Bearer ${token}` } });
      return { status: response.status, body: (await response.json()) as Body };
    },
  };
}

const PRICE = "/market/network/NEM?metrics=price&interval=5m";

const MOMENTS = [
  ["2025-01-31T04:05Z", "2025-01-31T14:05:00+10:00"],
  ["2025-01-31T14:05", "2025-01-31T14:05:00+10:00"],
  ["2025", "2025-01-01T00:00:00+10:00"],
] as const;

test.concurrent.for(MOMENTS.slice(0, runs(1, 3)))("%s is %s", async ([when, moment]) => {
  const started = performance.now();
  const { told, get } = await serve("--now", when);
  expect(told).toMatch(/^ents: note: synthetic data; its clock started at .*; stop with Ctrl-C\n$/);
  expect(told).toContain(moment);
  const { body } = await get(PRICE);
  const { created_at: createdAt, data } = body;
  const ran = Date.parse(createdAt) - Date.parse(moment);
  expect(ran).toBeGreaterThan(0);
  expect(ran).toBeLessThanOrEqual(performance.now() - started);
  // The interval in progress is left out.
  expect(Date.parse(data[0]?.date_end ?? "")).toBe(Date.parse(moment) - 5 * 60_000);
});

test.runIf(FULL).concurrent("the history and the quota of a plan follow its date", async () => {
  const { get } = await serve("--now", "2024-03-01T12:00", "--plan", "community");
  const early = await get(`${PRICE}&date_start=2022-01-01T00:00:00&date_end=2022-01-02T00:00:00`);
  expect(early).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining("too far in the past") as string },
  });
  expect(await get(`${PRICE}&date_start=2022-04-01T00:00:00&date_end=2022-04-02T00:00:00`)).toMatchObject({
    status: 200,
  });
  // The rate is two requests a second.
  await sleep(600);
  const { body } = await get("/me");
  expect(JSON.stringify(body)).toContain("2024-03-02T00:00:00");
});

test("an invalid time is refused", async () => {
  const run = await runEnts(["sandbox", "--now", "31/01/2025"]);
  expect(run).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot read "31/01/2025" as a date') as string,
  });
});
