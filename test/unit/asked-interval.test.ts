/** If a service names no interval, outputs for reading use the requested one. */
import { expect, test } from "vitest";
import { envelope, TOKEN } from "../e2e/envelopes.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";

const POINTS = [1, 2, 3].map((month) => [`2024-0${month}-01T00:00:00+10:00`, month] as const);

test("chart and summary", async () => {
  const body = envelope([{ metric: "energy", unit: "MWh", series: [{ points: POINTS }] }]);
  for (const item of body["data"] as Record<string, unknown>[]) delete item["interval"];
  const service = await startService(() => ({ body }));
  const flags = "network NEM -m energy -i 1M -s 2024-01 -e 2024-03 -f chart --summary".split(" ");
  const run = await createHome().run([...flags, "--base-url", service.url], { env: { ENTS_TOKEN: TOKEN } });
  expect(run.stdout).toContain("Jan to Mar 2024, monthly");
  expect(run.stdout).toMatch(/[*█] [*█]/);
  expect(run.stderr).toContain("first 2024-01, last 2024-03");
});
