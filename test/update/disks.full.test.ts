/**
 * Disks that an update cannot write to: exit 6, the old file stays, and once there is space the same command finishes.
 */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TOKEN } from "../e2e/envelopes.ts";
import { isDue } from "../support/extent.ts";
import { asUser, canBeDenied, canMount } from "../support/root.ts";
import { fillDisk, mountDisk } from "../support/small-disk.ts";
import { createNights, FILE, type Nights, QUERY } from "./nights.ts";

const DISK_KB = 512;

/** A small disk with the file and its description. */
async function createDisk(): Promise<{ nights: Nights; disk: string; update: () => ReturnType<Nights["run"]> }> {
  const nights = await createNights();
  const disk = nights.home.path("disk");
  mountDisk(disk, DISK_KB);
  for (const name of [FILE, `${FILE}.datapackage.json`]) writeFileSync(`${disk}/${name}`, nights.read(name));
  return { nights, disk, update: () => nights.run(...QUERY, "-o", `disk/${FILE}`, "--update") };
}

// The free space in KB: for nothing, for the lock, for a part of the file, for the file but not its description.
test.skipIf(!isDue(canMount(), "root")).for([0, 4, 12, 24, 40, 60])(
  "%i KB left (needs root, to mount a file system)",
  async (room) => {
    const { nights, disk, update } = await createDisk();
    const before = nights.read();
    const whole = await nights.readWhole();
    fillDisk(disk, room);
    const full = await update();
    expect([0, 6]).toContain(full.code);
    expect([before, whole]).toContain(readFileSync(`${disk}/${FILE}`, "utf8"));
    expect(
      full.code === 0 || /^ents: cannot (?:write|store).*(?:no space left|the disk is full)/im.test(full.stderr),
    ).toBe(true);
    expect(readdirSync(disk).filter((name) => name.includes("ents-tmp"))).toEqual([]);

    rmSync(`${disk}/filler`);
    expect(await update()).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(`${disk}/${FILE}`, "utf8")).toBe(whole);
  },
);

test.skipIf(!canBeDenied)("a folder that is read-only", async () => {
  const nights = await createNights();
  const before = nights.read();
  const requests = nights.service.requests.length;
  chmodSync(nights.home.folder, 0o555);
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: nights.service.url };
  const command = [...QUERY.slice(0, -1), "-o", FILE, "--update"];
  const run = await nights.home.spawn(command, { ...asUser, env });
  chmodSync(nights.home.folder, 0o755);
  expect(run).toMatchObject({
    code: 6,
    stdout: "",
    stderr: expect.stringMatching(/^ents: .*permission denied/m) as string,
  });
  expect(nights.read()).toBe(before);
  expect(nights.service.requests).toHaveLength(requests);
});
