/**
 * Units without codes: if facilities are not named, the service does not identify them. ents names them where it knows
 * the list; else all rows are written, with a warning that names the solution.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { createHome, runEnts } from "../support/run-ents.ts";
import { startStill } from "./ask.ts";

const WINDOW = ["-i", "1h", "-s", "2025-01-30", "-e", "2025-02-01", "--no-header"];
const UNITS = ["--unit-code", "BW01", "BW02", "TARONG#1"];
const WARNING = "ents: warning: output does not identify units; add --facility, -r, --fueltech or --facility-code\n";

let sandbox: Sandbox;
beforeAll(async () => void (sandbox = await startStill()));
afterAll(() => sandbox.close());

/** Without a list. */
function fetch(...args: string[]) {
  const env = { ENTS_BASE_URL: sandbox.baseUrl, ENTS_TOKEN: sandbox.token };
  return createHome().run(["facilities", "NEM", "-m", "power", ...args, ...WINDOW], { env });
}

const rows = (text: string) => text.trimEnd().split("\n");

test.each([[[]], [["--max-window", "1d"]]])(
  "rows without labels are all kept, with one warning (%j)",
  async (split) => {
    const { code, stdout, stderr } = await fetch(...UNITS, ...split);
    expect({ code, stderr }).toEqual({ code: 0, stderr: WARNING });
    const labelled = await fetch(...UNITS, "--facility-code", "BAYSW", "TARONG");
    expect(labelled).toMatchObject({ code: 0, stderr: "" });
    expect(rows(stdout)).toHaveLength(3 * 72);
    expect(rows(stdout)).toEqual(rows(labelled.stdout).map((row) => row.replace(/,(BW0[12]|TARONG#1),/, ",")));
    const listed = await runEnts([
      "facilities",
      "NEM",
      "-m",
      "power",
      ...UNITS,
      ...split,
      ...WINDOW,
      "--sandbox",
      "-q",
    ]);
    expect(listed).toMatchObject({ code: 0, stdout: labelled.stdout });
  },
);

const EMPTY =
  "ents: warning: the columns of --with are empty where rows have no unit_code; add --facility-code to get it\n";

test("--with says once why it is empty, and how to fill it", async () => {
  const joined = ["--with", "facility_name", "--max-window", "1d"];
  expect(await fetch("--unit-code", "BW01", ...joined)).toMatchObject({ code: 0, stderr: EMPTY });
  expect(await fetch(...UNITS, ...joined)).toMatchObject({ code: 0, stderr: WARNING + EMPTY });
  const labelled = await fetch("--unit-code", "BW01", ...joined, "--facility-code", "BAYSW");
  expect(labelled).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining(",BW01,Bayswater,") as string,
  });
});

test("one unit has no rows to confuse", async () => {
  expect(await fetch("--unit-code", "BW01")).toMatchObject({ code: 0, stderr: "" });
});
