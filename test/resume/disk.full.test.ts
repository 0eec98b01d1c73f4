/** Wherever in an export the disk fills up: exit 6, the old file stays, and once there is space the same command finishes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { CUT, fetchWhole, PIECES, QUERY, runIn, startWorldService } from "../faults/world-service.ts";
import { isDue } from "../support/extent.ts";
import { canMount } from "../support/root.ts";
import { createHome, type Home } from "../support/run-ents.ts";

const OLD = "what was there before\n";
const DISK_KB = 256;
const mounts: string[] = [];

afterAll(() => {
  for (const folder of mounts.splice(0)) execFileSync("umount", [folder]);
});

// The free space in KB: for the folder alone, for some answers, for all answers but not the output.
test.skipIf(!isDue(canMount(), "root")).for([0, 4, 12, 24, 32, 40, 48])("%i KB left (needs root, to mount a file system)", async (room) => {
  const whole = await fetchWhole(QUERY, ["-f", "csv"]);
  const service = await startWorldService();
  const home = createHome();
  const disk = mountDisk(home);
  writeFileSync(`${disk}/old.csv`, OLD);
  fill(disk, room);
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
});

function findKept(disk: string): number {
  const [folder] = readdirSync(disk).filter((name) => name.endsWith(".ents"));
  return folder === undefined ? 0 : readdirSync(`${disk}/${folder}`).filter((name) => name.endsWith(".json.gz")).length;
}

function mountDisk(home: Home): string {
  const folder = home.path("disk");
  mkdirSync(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_KB}k`, "none", folder]);
  mounts.push(folder);
  return folder;
}

function fill(disk: string, roomKb: number): void {
  const free = Number(execFileSync("stat", ["-f", "-c", "%a", disk], { encoding: "utf8" }));
  const blockKb = Number(execFileSync("stat", ["-f", "-c", "%S", disk], { encoding: "utf8" })) / 1024;
  writeFileSync(`${disk}/filler`, Buffer.alloc((free * blockKb - roomKb) * 1024));
}
