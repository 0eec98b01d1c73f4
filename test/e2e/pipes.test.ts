/** Standard output as others take it: a reader that leaves, a device, a full disk. */
import { expect, test } from "vitest";
import { runs } from "../support/extent.ts";
import { createHome, type Run } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { envelope, POWER, TOKEN } from "./envelopes.ts";

/** Far more than a pipe holds, in every format. */
const COUNT = runs(20_000, 60_000);
const MANY = { body: envelope([{ series: [{ points: Array.from({ length: COUNT }, (_, index) => [stampOf(index), index] as const) }] }]) };

function stampOf(index: number): string {
  return `${new Date(Date.UTC(2024, 0, 1) + index * 300_000).toISOString().slice(0, 19)}+10:00`;
}

async function shell(line: string, answer = POWER): Promise<Run> {
  const service = await startService(() => answer);
  return createHome().shell(line, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url } });
}

test.concurrent.for(runs(["csv", "json"], ["csv", "tsv", "json", "ndjson", "table"]))(
  "| head -1 ends %s quietly, with 0",
  async (format) => {
    const { stdout, stderr } = await shell(`{ ents network NEM -m power -f ${format}; echo "exit $?" >&2; } | head -1`, MANY);
    expect(stdout.split("\n")).toEqual([expect.stringMatching(/./), ""]);
    expect(stderr).toBe("exit 0\n");
  },
);

test.concurrent.for(["--help", "metrics -f json", "whoami"])("a reader that was never there ends `ents %s` quietly", async (args) => {
  const { stderr } = await shell(`{ sleep 1; ents ${args}; echo "exit $?" >&2; } | true`);
  expect(stderr).toBe("exit 0\n");
});

test.concurrent("a closed standard error is ignored", async () => {
  const { code, stdout } = await shell("ents network NEM -m power -v 2>&1 >out.csv | true; sleep 1; cat out.csv");
  expect({ code, lines: stdout.split("\n").length }).toEqual({ code: 0, lines: 4 });
});

test.concurrent("a pipe gets every byte, and a file the same", async () => {
  const { code, stdout } = await shell(
    "ents network NEM -m power | sort | uniq | wc -l; ents network NEM -m power -o a.csv; ents network NEM -m power | cmp - a.csv && echo same",
    MANY,
  );
  expect({ code, stdout: stdout.replaceAll(" ", "") }).toEqual({ code: 0, stdout: `${COUNT + 1}\nsame\n` });
});

test.concurrent("a reader that is slow gets every byte", async () => {
  const { code, stdout } = await shell("ents network NEM -m power -f ndjson | { sleep 1; wc -l; }", MANY);
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: String(COUNT) });
});

test.concurrent("/dev/null takes it", async () => {
  expect(await shell("ents network NEM -m power > /dev/null && ents network NEM -m power -o /dev/null && test -c /dev/null")).toMatchObject(
    { code: 0, stderr: "" },
  );
});

test.concurrent.for([
  "network NEM -m power > /dev/full",
  "network NEM -m power -f json > /dev/full",
  "network NEM -m power -o /dev/full",
  "network NEM -m power --dry-run > /dev/full",
  "metrics > /dev/full",
  "whoami > /dev/full",
  "--help > /dev/full",
])("a full disk is exit 6: ents %s", async (args) => {
  const { code, stderr } = await shell(`ents ${args}`);
  expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringMatching(/^ents: cannot write/m) as string });
});
