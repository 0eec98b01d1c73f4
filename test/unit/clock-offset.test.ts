/** If a network's offset is unknown, its wall clock is taken from the timestamps, in every output. */
import { expect, test } from "vitest";
import { envelope, TOKEN } from "../e2e/envelopes.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { type PrintOptions, printSeries } from "../../src/format/print.ts";
import { readBody, toBody } from "./generators.ts";

const ITEM = { series: [{ points: [0, 1, 2].map((hour) => [`2025-01-31T0${hour}:00:00+08:00`, hour] as const) }] };

test.each([
  ["table", "stdout", /^2025-01-31 00:00 /m],
  ["svg", "stdout", /31 Jan 2025 00:00 to 31 Jan|31 Jan 2025 00:00 to 02:00, hourly, UTC\+08:00/],
  ["chart", "stdout", /31 Jan 2025/],
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

test("series use the clock of their own timestamps, also where they meet", async () => {
  const itemAt = (region: string, timestamp: string) => {
    const series = [{ labels: { region }, points: [[timestamp, "1"] as const] }];
    return { metric: "power", unit: "MW", series };
  };
  const body = toBody([itemAt("A", "2025-01-31T08:00:00+08:00"), itemAt("B", "2025-01-31T10:00:00+10:00")]);
  const timeSeries = readBody(body.replaceAll('"NEM"', '"XYZ"').replaceAll(',"network_timezone_offset":"+10:00"', ""));
  const print = async (options: Pick<PrintOptions, "format" | "timeFormat">) => {
    async function* chunks() {
      yield { heads: [], timeSeries };
    }
    let text = "";
    for await (const part of printSeries(chunks(), { metrics: ["power"], shape: "long", ...options }))
      text += Buffer.from(part).toString();
    return text;
  };
  expect(await print({ format: "csv", timeFormat: "local" })).toMatch(
    /^2025-01-31 08:00:00,.*,A,.*\n2025-01-31 10:00:00,.*,B,/m,
  );
  expect(await print({ format: "table" })).toMatch(/^2025-01-31 08:00 +A .*\n2025-01-31 10:00 +B /m);
});
