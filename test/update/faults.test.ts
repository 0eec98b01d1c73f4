/** An update that fails, wherever: the old file or the new one is there, and the next one makes it that of a whole export. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { expectError } from "../e2e/old-file.ts";
import { watchFileCalls } from "../files/file-calls.ts";
import { createGate } from "../support/gate.ts";
import { createNights, FILE } from "./nights.ts";

const DESCRIPTION = `${FILE}.datapackage.json`;

test("every call on a file fails once: the file is the old one or the new one, and the next update knows where its rows are from", async () => {
  let count = Number.POSITIVE_INFINITY;
  await watchFileCalls(() => {
    if (count-- === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  const nights = await createNights();
  const before = [FILE, DESCRIPTION].map((name) => [name, nights.read(name)] as const);
  const old = nights.read();
  const whole = await nights.readWhole();
  const listLeft = () => readdirSync(nights.home.folder).filter((name) => name.includes("ents-tmp"));
  let adopted = 0;
  let calls = 0;
  for (let done = false; !done; calls++) {
    for (const [name, text] of before) writeFileSync(nights.home.path(name), text);
    count = calls;
    const { code } = await nights.update();
    done = count >= 0;
    count = Number.POSITIVE_INFINITY;
    expect([old, whole]).toContain(nights.read());
    expect([0, 6]).toContain(code);
    // The new file without its description: that is finished beside it.
    const isUndescribed = nights.read() === whole && nights.read(DESCRIPTION) === before[1]?.[1];
    expect(listLeft().map((name) => name.includes(DESCRIPTION))).toEqual(isUndescribed ? [true] : []);
    if (isUndescribed) adopted++;
    else if (!done) continue;
    const next = await nights.update();
    expect(next.stderr).not.toContain("description");
    expect([next.code, nights.read(), listLeft()]).toEqual([0, whole, []]);
    expect(nights.read(DESCRIPTION)).not.toContain("unverified_before");
    expect(nights.read(DESCRIPTION)).toContain(createHash("sha256").update(whole).digest("hex"));
  }
  expect([calls > 5, adopted]).toEqual([true, 1]);
});

test("a service that fails leaves the file, the description and no temporary file", async () => {
  const nights = await createNights(["--retries", "0"]);
  const [before, description] = [nights.read(), nights.read(`${FILE}.datapackage.json`)];
  nights.world.play = () => refusal(503, "down");
  expect(await nights.update()).toMatchObject({ code: 5 });
  expect([nights.read(), nights.read(`${FILE}.datapackage.json`)]).toEqual([before, description]);
  expect(readdirSync(nights.home.folder).sort()).toEqual([FILE, `${FILE}.datapackage.json`]);
});

test("a log of changes that cannot be finished is as it was, and so is the file; the next update logs each change once", async () => {
  let [writes, failing] = [0, 0];
  await watchFileCalls(({ name, path }) => {
    if (!path.endsWith("log.csv") || name !== "appendFile" || ++writes !== failing) return;
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  const nights = await createNights();
  const restate = () => {
    const { model } = nights.world;
    nights.world.model = { ...model, series: model.series.map((one) => ({ ...one, base: one.base + 10 })) };
  };
  restate();
  await nights.update("--changes", "log.csv");
  const [log, before] = [nights.read("log.csv"), nights.read()];
  expect([log.split("\n").length, writes]).toEqual([1 + 340 + 1, 2]);
  restate();
  failing = 4;
  expectError(await nights.update("--changes", "log.csv"), 6, /cannot write log\.csv: the disk is full/);
  expect([nights.read("log.csv"), nights.read(), writes]).toEqual([log, before, 4]);
  expect(await nights.update("--changes", "log.csv")).toMatchObject({ code: 0 });
  const rows = nights.read("log.csv").slice(log.length).trimEnd().split("\n");
  expect([nights.read("log.csv").startsWith(log), rows.length, new Set(rows).size]).toEqual([true, 340, 340]);
});

test("where the new file cannot take its place, no change of it is in the log", async () => {
  let isFailing = false;
  await watchFileCalls(({ name, to }) => {
    if (isFailing && name === "rename" && to.endsWith(FILE)) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  const nights = await createNights();
  const { model } = nights.world;
  nights.world.model = { ...model, series: model.series.map((one) => ({ ...one, base: one.base + 10 })) };
  const before = nights.read();
  isFailing = true;
  expectError(await nights.update("--changes", "log.csv"), 6, /cannot write power\.csv: the disk is full/);
  isFailing = false;
  expect([nights.read(), existsSync(nights.home.path("log.csv")) ? nights.read("log.csv") : ""]).toEqual([before, ""]);
  expect(await nights.update("--changes", "log.csv")).toMatchObject({ code: 0 });
  expect(nights.read("log.csv").trimEnd().split("\n")).toHaveLength(1 + 340);
});

test.each([[[]], [["--no-resume"]]])("of two updates at once, the second stops: %j", async (flags) => {
  const nights = await createNights(flags);
  const gate = createGate();
  nights.world.play = () => ({ ...refusal(503, "slow"), after: gate.opened });
  const before = nights.service.requests.length;
  const first = nights.update("--retries", "1");
  await nights.service.received(before + 1);
  expectError(await nights.update(), 6, /another ents .*is writing power\.csv/);
  nights.world.play = () => undefined;
  gate.open();
  expect(await first).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});
