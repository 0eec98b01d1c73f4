/**
 * Wherever in an export the disk fills up: exit 6, the old file stays, and once there is space the same command
 * finishes.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CUT, fetchWhole, PIECES, QUERY, runIn, startWorldService } from "../faults/world-service.ts";
import { isDue } from "../support/extent.ts";
import { canMount } from "../support/root.ts";
import { createHome } from "../support/run-ents.ts";
import { fillDisk, mountDisk } from "../support/small-disk.ts";

const OLD = "what was there before\n";
const DISK_KB = 256;

// The free space in KB: for the folder alone, for some responses, for all responses but not the output.
test.skipIf(!isDue(canMount(), "root")).for([0, 4, 12, 24, 32, 40, 48])(
  "%i KB left (needs root, to mount a file system)",
  async (room) => {
    const whole = await fetchWhole(QUERY, ["-f", "csv"]);
    const service = await startWorldService();
    const home = createHome();
    const disk = home.path("disk");
    mountDisk(disk, DISK_KB);
    writeFileSync(`${disk}/old.csv`, OLD);
    fillDisk(disk, room);
    const command = [...QUERY, ...CUT, "-o", "disk/old.csv", "--concurrency", "1"];
    const full = await runIn({ home, service }, command);
    expect(full).toMatchObject({ code: 6, stdout: "" });
    expect(full.stderr).toMatch(/^ents: cannot (write|store)[^\n]*(no space left|the disk is full)/i);
    expect(readFileSync(`${disk}/old.csv`, "utf8")).toBe(OLD);
    expect(readdirSync(disk).filter((name) => name.includes("ents-tmp"))).toEqual([]);

    const kept = findKept(disk);
    const before = service.requests.length;
    rmSync(`${disk}/filler`);
    expect(await runIn({ home, service }, command)).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(`${disk}/old.csv`, "utf8")).toBe(whole);
    expect(readdirSync(disk)).toEqual(["old.csv"]);
    expect(service.requests).toHaveLength(before + PIECES - kept);
  },
);

function findKept(disk: string): number {
  const [folder] = readdirSync(disk).filter((name) => name.endsWith(".ents"));
  return folder === undefined ? 0 : readdirSync(`${disk}/${folder}`).filter((name) => name.endsWith(".json.gz")).length;
}
