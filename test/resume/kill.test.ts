/**
 * SIGKILL at each step of an export: the file stays the old one until it is the new one, which is made from kept
 * answers.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { envFor, fetchWhole, OUT, QUERY, startWorldService } from "../faults/world-service.ts";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { dieAtRename } from "../support/die-at-rename.ts";
import { runs } from "../support/extent.ts";
import { listKept } from "./partial.ts";
import { HAS_SIGNALS } from "../support/platform.ts";

/** Seven hours in three requests, or in seven in a full run. */
const HOURS = runs(3, 1);
const PIECES = Math.ceil(7 / HOURS);
const COMMAND = [...QUERY, "--max-window", `${HOURS}h`, "--rate", "1000", "--concurrency", "1", "-o", OUT];

test.skipIf(!HAS_SIGNALS)(
  "killed before every second rename, each run stores one response more, and the last finishes",
  async () => {
    const service = await startWorldService();
    const home = createHomeWithFile();
    const old = readFileSync(home.path(OUT), "utf8");
    const env = { ...envFor(service), ...dieAtRename(home, 1) };
    for (let kept = 1; kept <= PIECES; kept++) {
      expect(await home.spawn(COMMAND, { env })).toMatchObject({ signal: "SIGKILL" });
      expect({ kept: listKept(home).length, file: readFileSync(home.path(OUT), "utf8") }).toEqual({ kept, file: old });
    }
    const { length } = service.requests;
    expect(await home.spawn(COMMAND, { env })).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(home.path(OUT), "utf8")).toBe(await fetchWhole(QUERY, ["-f", "csv"]));
    expect(readdirSync(home.folder)).toEqual([OUT]);
    expect(service.requests).toHaveLength(length);
  },
);
