/**
 * Units without codes: if facilities are not named, the service does not identify them. All rows are written, with a
 * warning that names the solution.
 */
import { expect, test } from "vitest";
import { runEnts } from "../support/run-ents.ts";

const WINDOW = ["-i", "1h", "-s", "2025-01-30", "-e", "2025-02-01", "--sandbox", "--no-header"];
const UNITS = ["--unit-code", "BW01", "BW02", "TARONG#1"];
const NOTE = "ents: note: synthetic data (--sandbox)\n";
const WARNING = "ents: warning: output does not identify units; add --facility, -r, --fueltech or --facility-code\n";

function fetch(...args: string[]) {
  return runEnts(["facilities", "NEM", "-m", "power", ...args, ...WINDOW]);
}

const rows = (text: string) => text.trimEnd().split("\n");

test.each([[[]], [["--max-window", "1d"]]])("rows without labels are all kept, with one warning (%j)", async (split) => {
  const { code, stdout, stderr } = await fetch(...UNITS, ...split);
  expect({ code, stderr }).toEqual({ code: 0, stderr: NOTE + WARNING });
  const labelled = await fetch(...UNITS, "--facility-code", "BAYSW", "TARONG");
  expect(labelled).toMatchObject({ code: 0, stderr: NOTE });
  expect(rows(stdout)).toHaveLength(3 * 72);
  expect(rows(stdout)).toEqual(rows(labelled.stdout).map((row) => row.replace(/,(BW0[12]|TARONG#1),/, ",")));
});

const EMPTY = "ents: warning: the columns of --with are empty where rows have no unit_code; add --facility-code to get it\n";

test("--with says once why it is empty, and how to fill it", async () => {
  const joined = ["--with", "facility_name", "--max-window", "1d"];
  expect(await fetch("--unit-code", "BW01", ...joined)).toMatchObject({ code: 0, stderr: NOTE + EMPTY });
  expect(await fetch(...UNITS, ...joined)).toMatchObject({ code: 0, stderr: NOTE + WARNING + EMPTY });
  const labelled = await fetch("--unit-code", "BW01", ...joined, "--facility-code", "BAYSW");
  expect(labelled).toMatchObject({ code: 0, stderr: NOTE, stdout: expect.stringContaining(",BW01,Bayswater,") as string });
});

test("one unit has no rows to confuse", async () => {
  expect(await fetch("--unit-code", "BW01")).toMatchObject({ code: 0, stderr: NOTE });
});
