/** A file of a dataset that was changed, in as many bytes. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createNights, type Nights, QUERY, REGIONS } from "../update/nights.ts";

const JANUARY = "year=2026/month=01/data.csv";
const UPDATE = [...QUERY, "-o", "folder", "--partition", "month", "-f", "csv", "--update"];

/** Whether the hashes of the description are those of the files. */
function isTrue(nights: Nights): boolean {
  const { resources } = JSON.parse(nights.read("folder/datapackage.json")) as { resources: { path: string; hash: string }[] };
  return resources.every(
    ({ path, hash }) =>
      hash ===
      `sha256:${createHash("sha256")
        .update(nights.read(`folder/${path}`))
        .digest("hex")}`,
  );
}

const NOTE = `note: folder/${JANUARY} does not match datapackage.json; rewriting it and all later files\n`;

test("where an older description was put back, what is newer is written again", async () => {
  let digit = "0";
  const nights = await createNights([], REGIONS, { mark: (text) => text.replaceAll(/(?<=\.\d\d)(?=\])/g, digit) });
  for (const days of [33, 40]) {
    nights.goTo(days);
    await nights.run(...UPDATE);
  }
  const older = nights.read("folder/datapackage.json");
  digit = "7";
  nights.goTo(41);
  await nights.run(...UPDATE, "--revise", "30d");
  writeFileSync(nights.home.path("folder/datapackage.json"), older);
  nights.goTo(42);
  expect((await nights.run(...UPDATE)).stderr).toContain(NOTE);
  expect(isTrue(nights)).toBe(true);
});

test("what was changed by hand is written again", async () => {
  const nights = await createNights();
  for (const days of [33, 40]) {
    nights.goTo(days);
    await nights.run(...UPDATE);
  }
  const january = nights.read(`folder/${JANUARY}`);
  writeFileSync(nights.home.path(`folder/${JANUARY}`), january.replace("VIC1", "XXX1"));
  nights.goTo(42);
  expect((await nights.run(...UPDATE)).stderr).toContain(NOTE);
  expect(nights.read(`folder/${JANUARY}`)).toBe(january);
  expect(isTrue(nights)).toBe(true);
});
