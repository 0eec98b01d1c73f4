/** Files that break halfway through an export: it ends with the first error, never reports a bug, and never hangs. */
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { CUT, envFor, fetchWhole, QUERY, startWorldService } from "../faults/world-service.ts";
import { isDue } from "../support/extent.ts";
import { createGate } from "../support/gate.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { canBeNobody, NOBODY } from "../support/root.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import type { Answer } from "../support/scripted-service.ts";

let whole: string;

beforeAll(async () => {
  whole = await fetchWhole(QUERY, ["-f", "csv"]);
});

const OLD = "what was there before\n";
const OUT = "data/out.csv";
const COMMAND = [...QUERY, ...CUT, "-o", OUT, "--concurrency", "1"];

interface Breaking {
  /** Breaks something while the fourth of seven requests is in progress. */
  readonly damage: (data: string) => void;
  /** A response instead of the fourth. */
  readonly answer?: Answer;
  readonly flags?: readonly string[];
  readonly user?: typeof NOBODY;
}

/** Runs the real binary; something breaks halfway. */
async function runBreaking({ damage, answer, flags = [], user }: Breaking): Promise<Run & { readonly home: Home }> {
  const home = createHome();
  mkdirSync(home.path("data"));
  writeFileSync(home.path(OUT), OLD);
  if (user) for (const path of ["data", OUT]) chownSync(home.path(path), user.uid, user.gid);
  const gate = createGate();
  const service = await startWorldService({
    play: ({ piece, good }) => (piece === 3 ? { ...(answer ?? good), after: gate.opened } : undefined),
  });
  const { child, finished } = home.start([...COMMAND, ...flags], { env: envFor(service), ...(user ? { user } : {}) });
  await Promise.race([service.received(4), finished]);
  damage(home.path("data"));
  gate.open();
  const giveUp = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  const run = await finished;
  clearTimeout(giveUp);
  await service.close();
  return { ...run, home };
}

const partialIn = (data: string) => join(data, "out.csv.ents");
const removeAll = (path: string) => rmSync(path, { recursive: true });

const DAMAGES: readonly [name: string, damage: (data: string) => void][] = [
  ["the directory is removed", removeAll],
  ["the directory is renamed", (data) => renameSync(data, `${data}2`)],
  [
    "the directory becomes a file",
    (data) => {
      removeAll(data);
      writeFileSync(data, "");
    },
  ],
  ["the folder of answers is removed", (data) => removeAll(partialIn(data))],
  [
    "the folder of answers becomes a file",
    (data) => {
      removeAll(partialIn(data));
      writeFileSync(partialIn(data), "");
    },
  ],
];

test.concurrent.for(DAMAGES)("%s: exit 6", async ([, damage]) => {
  const { code, stdout, stderr } = await runBreaking({ damage });
  expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
  expect(stderr).toMatch(/^ents: cannot (write|store responses in) data\/out\.csv/);
  expect(stderr).not.toContain("bug");
});

test.concurrent.for(DAMAGES)(
  "%s, and the service refuses: its error is reported, with its exit code",
  async ([, damage]) => {
    const { code, stderr } = await runBreaking({ damage, answer: refusal(403, "Not for your plan") });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^ents: [^\n]*Not for your plan/) as string,
    });
  },
);

test.concurrent.for(DAMAGES.slice(0, 3))("%s, without resume: exit 6", async ([, damage]) => {
  const { code, stderr } = await runBreaking({ damage, flags: ["--no-resume"] });
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: expect.stringMatching(/^ents: cannot write data\/out\.csv: /) as string,
  });
});

test.concurrent("the temporary file is removed: exit 6, and the old file is unchanged", async () => {
  const { home, code, stderr } = await runBreaking({
    damage: (data) => rmSync(join(data, readdirSync(data).find((name) => name.endsWith(".ents-tmp")) ?? "")),
    // Otherwise the file does not exist until all responses are there.
    flags: ["--no-resume"],
  });
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: expect.stringMatching(/^ents: cannot write data\/out\.csv: /) as string,
  });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(OLD);
});

test.concurrent("the lock is removed, or belongs to another by now: the export finishes, and the other's lock stays", async () => {
  const gone = await runBreaking({ damage: (data) => rmSync(join(partialIn(data), "lock")) });
  expect(gone).toMatchObject({ code: 0, stderr: "" });
  const other = await runBreaking({ damage: (data) => writeFileSync(join(partialIn(data), "lock"), "another's") });
  expect(other).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(other.home.path(OUT), "utf8")).toBe(whole);
  expect(readdirSync(partialIn(other.home.path("data")))).toEqual(["lock"]);
});

test.concurrent("responses that cannot be removed are a warning: the output is there", async () => {
  const { home, code, stderr } = await runBreaking({
    damage: (data) => {
      mkdirSync(join(partialIn(data), "2025-01-01T0000_open.00000000.0.json.gz"));
    },
  });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^ents: warning: cannot [^\n]*data\/out\.csv\.ents[^\n]*\n$/) as string,
  });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  // Only the folder among them is left.
  expect(readdirSync(partialIn(home.path("data")))).toEqual(["2025-01-01T0000_open.00000000.0.json.gz"]);
});

test.skipIf(!isDue(canBeNobody, "root")).for([
  ["the directory", (data: string) => data],
  ["the folder of answers", partialIn],
] as const)(
  "%s becomes read-only: exit 6, and with the service's refusal its exit code (needs root)",
  async ([, find]) => {
    const damage = (data: string) => chmodSync(find(data), 0o500);
    const { code, stderr } = await runBreaking({ damage, user: NOBODY });
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringMatching(/^ents: cannot [^\n]*permission denied\n/) as string,
    });
    const refused = await runBreaking({ damage, user: NOBODY, answer: refusal(403, "Not for your plan") });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("Not for your plan") as string });
  },
);
