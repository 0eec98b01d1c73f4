/** A network whose offset nothing tells: its wall clock is that of the timestamps, in every output. */
import { expect, test } from "vitest";
import { envelope, TOKEN } from "../e2e/envelopes.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";

const ITEM = { series: [{ points: [0, 1, 2].map((hour) => [`2025-01-31T0${hour}:00:00+08:00`, hour] as const) }] };

test.each([
  ["table", "stdout", /^2025-01-31 00:00 /m],
  ["svg", "stdout", /2025-01-31 00:00 to 2025-01-31 02:00, 1h intervals, network time \(UTC\+08:00\)/],
  ["chart", "stdout", /2025-01-31 00:00 to 2025-01-31 02:00/],
  ["csv", "stderr", /first 2025-01-31 00:00, last 2025-01-31 02:00/],
] as const)("%s, on %s", async (format, stream, expected) => {
  const body = envelope([ITEM]);
  for (const item of body["data"] as Record<string, unknown>[]) {
    delete item["network_timezone_offset"];
    item["network_code"] = "XYZ";
  }
  const service = await startService(() => ({ body }));
  const flags = `network XYZ -m power -i 1h -s 2025-01-31 -e 2025-01-31 -f ${format} --summary`.split(" ");
  const run = await createHome().run([...flags, "--base-url", service.url], { env: { ENTS_TOKEN: TOKEN } });
  expect(run.code).toBe(0);
  expect(run[stream]).toMatch(expected);
});
