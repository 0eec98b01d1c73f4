/**
 * Intervals that do not start where the calendar's do cannot be joined across requests: exit 4, and one request as the
 * way out.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DAY, type LocalTime, MINUTE } from "../../src/time/local-time.ts";
import { createHomeWithFile, OLD } from "../e2e/old-file.ts";
import { intervalsOf, HOUR, type World } from "./world.ts";
import { OUT, runIn, startWorldService } from "./world-service.ts";

const monthsOf = (local: LocalTime): LocalTime =>
  Date.UTC(new Date(local).getUTCFullYear(), new Date(local).getUTCMonth());

const OTHER_STARTS: readonly [name: string, maxWindow: string, world: Partial<World>, told: RegExp][] = [
  [
    "days from six o'clock",
    "30d",
    { interval: "1d", step: 6 * HOUR, intervalOf: intervalsOf(DAY, 6 * HOUR) },
    /T06:00:00\+10:00; expected \S+T00:00:00/,
  ],
  [
    "UTC days",
    "30d",
    { interval: "1d", step: 2 * HOUR, intervalOf: intervalsOf(DAY, 10 * HOUR) },
    /T10:00:00\+10:00; expected \S+T00:00:00/,
  ],
  [
    "hours at half past",
    "7d",
    { interval: "1h", step: 10 * MINUTE, intervalOf: intervalsOf(HOUR, 30 * MINUTE) },
    /T\d\d:30:00\+10:00; expected \S+:00:00/,
  ],
  [
    "weeks from Monday",
    "30d",
    { interval: "7d", step: DAY / 4, intervalOf: intervalsOf(7 * DAY, 4 * DAY) },
    /2024-12-23T00:00:00\+10:00; expected 2024-12-22/,
  ],
  [
    "months stamped on the 15th",
    "40d",
    { interval: "1M", step: DAY / 4, intervalOf: monthsOf, timestampOf: (bucket) => bucket + 14 * DAY },
    /2024-12-15T00:00:00\+10:00; expected 2024-12-01/,
  ],
];

test.concurrent.for(OTHER_STARTS)(
  "requests whose intervals start elsewhere are not joined: %s",
  async ([, maxWindow, world, told]) => {
    const query = [
      "network",
      "NEM",
      "-m",
      "energy",
      "-i",
      world.interval ?? "",
      "-s",
      "2024-12-29",
      "-e",
      "2025-03-31",
      "--rate",
      "1000",
    ];
    const service = await startWorldService({ world });
    const home = createHomeWithFile();
    const { code, stdout, stderr } = await runIn({ home, service }, [...query, "--max-window", maxWindow, "-o", OUT]);
    expect({ code, stdout, stderr }).toEqual({ code: 4, stdout: "", stderr: expect.stringMatching(told) as string });
    expect(stderr).toContain(
      `cannot join several requests: the service sent an interval of ${world.interval} that starts at `,
    );
    expect(stderr).toContain("use --max-window none if one request can hold the whole window");
    expect(readFileSync(home.path(OUT), "utf8")).toBe(OLD);
    expect(await runIn({ service }, [...query, "--max-window", "none", "-f", "csv"])).toMatchObject({ code: 0 });
  },
);
