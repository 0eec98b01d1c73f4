/** The same command hours or days later, with a window that moves with the clock: paid answers are reused. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { answerQuery, HOUR, WORLD, type World } from "../faults/world.ts";
import { OUT, runIn } from "../faults/world-service.ts";
import { FULL } from "../support/extent.ts";
import { type ScriptedService, startService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";

const DAY = 24 * HOUR;
const NEM = 10 * HOUR;
/** Moves the clock to the middle of an hour. */
const MIDDLE = HOUR - ((Date.now() + HOUR / 2) % HOUR);

/** An hourly world with data up to the clock of the run. */
async function startMovingService(): Promise<ScriptedService & { aheadMs: number; spentAfter: number }> {
  const state = { aheadMs: 0, spentAfter: Number.POSITIVE_INFINITY };
  const service = await startService(({ url }) => {
    if (service.requests.length > state.spentAfter) return refusal(401, "Authentication failed");
    const now = Date.now() + state.aheadMs + NEM;
    const world: World = { ...WORLD, interval: "1h", step: HOUR, intervalOf: (local) => local - (local % HOUR), now };
    return { body: answerQuery(world, url), headers: { "content-type": "application/json" } };
  });
  return Object.assign(state, service);
}

const LATER = { "an hour": HOUR, "a day": DAY, "three days": 3 * DAY };
const WINDOWS = [
  ["--last", "40d"],
  ["-s", "-40d"],
  ["-s", "-40d", "-e", "now"],
] as const;
/** A quick run has each window once. */
const CASES = WINDOWS.flatMap((window, at) =>
  Object.entries(LATER)
    .filter((_, index) => FULL || index === at)
    .map(([name, ms]) => [window.join(" "), name, window, ms] as const),
);

test.concurrent.for(CASES)("%s, %s later", async ([, , window, laterMs]) => {
  const service = await startMovingService();
  const home = createHomeWithFile();
  const query = [
    "network",
    "NEM",
    "-m",
    "power",
    "energy",
    "-i",
    "1h",
    ...window,
    "--rate",
    "1000",
    "--concurrency",
    "1",
  ];
  const command = [...query, "--max-window", "4d", "-o", OUT];
  const run = (args: readonly string[], aheadMs: number) => {
    service.aheadMs = aheadMs;
    return runIn({ home, service }, args, { clock: createVirtualClock(aheadMs) });
  };
  service.spentAfter = 6;
  expect(await run(command, MIDDLE)).toMatchObject({ code: 3 });
  const paid = service.requests.slice(0, 6).map(({ url }) => url);
  service.spentAfter = Number.POSITIVE_INFINITY;

  const before = service.requests.length;
  const later = await run(command, MIDDLE + laterMs);
  const [, kept, all] =
    /^ents: note: resuming: (\d+) of (\d+) requests are already done/m.exec(later.stderr)?.map(Number) ?? [];
  expect(later).toMatchObject({ code: 0 });
  const sent = service.requests.slice(before).map(({ url }) => url);
  expect(sent.filter((url) => paid.includes(url))).toEqual([]);
  // Exactly the same requests: the first windows have moved partly or wholly out of the new one.
  expect([paid.length - 2, paid.length - 1, paid.length]).toContain(kept);
  expect(sent).toHaveLength((all ?? 0) - (kept ?? 0));
  expect(readdirSync(home.folder)).toEqual([OUT]);
  const whole = await run([...query, "--max-window", "none", "-f", "csv"], MIDDLE + laterMs);
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole.stdout);
});
