/** Standard output with a reader that leaves, on a device, and on a full disk. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runs } from "../support/extent.ts";
import { createHome, type Run } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { envelope, POWER, TOKEN } from "./envelopes.ts";
import { HAS_SHELL } from "../support/platform.ts";

/** Far more than a pipe buffers, in every format. */
const COUNT = runs(6000, 60_000);
const MANY = {
  body: envelope([
    { series: [{ points: Array.from({ length: COUNT }, (_, index) => [timestampOf(index), index] as const) }] },
  ]),
};

function timestampOf(index: number): string {
  return `${new Date(Date.UTC(2024, 0, 1) + index * 300_000).toISOString().slice(0, 19)}+10:00`;
}

async function shell(line: string, answer = POWER): Promise<Run> {
  const service = await startService(() => answer);
  return createHome().shell(line, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url } });
}

test.skipIf(!HAS_SHELL).concurrent.for(runs(["csv"], ["csv", "tsv", "json", "ndjson", "table"]))(
  "| head -1 ends %s quietly, with 0",
  async (format) => {
    const { stdout, stderr } = await shell(
      `{ ents network NEM -m power -f ${format}; echo "exit $?" >&2; } | head -1`,
      MANY,
    );
    expect(stdout.split("\n")).toEqual([expect.stringMatching(/./), ""]);
    expect(stderr).toBe("exit 0\n");
  },
);

test.skipIf(!HAS_SHELL).concurrent("a closed standard error is ignored", async () => {
  const { code, stdout } = await shell("ents network NEM -m power -v 2>&1 >out.csv | true; sleep 1; cat out.csv");
  expect({ code, lines: stdout.split("\n").length }).toEqual({ code: 0, lines: 4 });
});

test.skipIf(!HAS_SHELL).concurrent("a pipe with a slow reader gets every byte, and so does a file", async () => {
  const service = await startService(() => MANY);
  const [home, env] = [createHome(), { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url }];
  expect(await home.run(["network", "NEM", "-m", "power", "-o", "a.csv"], { env })).toMatchObject({ code: 0 });
  expect(new Set(readFileSync(home.path("a.csv"), "utf8").trimEnd().split("\n")).size).toBe(COUNT + 1);
  expect(await home.shell("ents network NEM -m power | { sleep 1; cmp - a.csv && echo same; }", { env })).toMatchObject(
    {
      stdout: "same\n",
    },
  );
});

const TO_FULL_DISK = [
  "network NEM -m power > /dev/full",
  "--help > /dev/full",
  "network NEM -m power -f json > /dev/full",
  "network NEM -m power -o /dev/full",
  "network NEM -m power --dry-run > /dev/full",
  "metrics > /dev/full",
  "whoami > /dev/full",
];

test.skipIf(!HAS_SHELL).concurrent.for(TO_FULL_DISK.slice(0, runs(1, 7)))(
  "a full disk is exit 6: ents %s",
  async (args) => {
    const { code, stderr } = await shell(`ents ${args}`);
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringMatching(/^ents: cannot write .*: the disk is full$/m) as string,
    });
  },
);
