/** An update that fails, wherever: the old file or the new one is there, and the next one makes it that of a whole export. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { expectError } from "../e2e/old-file.ts";
import { type FileCall, watchFileCalls } from "../files/file-calls.ts";
import { runs } from "../support/extent.ts";
import { createGate } from "../support/gate.ts";
import { createNights, FILE, QUERY } from "./nights.ts";

const DESCRIPTION = `${FILE}.datapackage.json`;

test("every call on a file fails once: the file is the old one or the new one, and the next update knows where its rows are from", async () => {
  let count = Number.POSITIVE_INFINITY;
  let isPlaced: (call: FileCall) => boolean = () => false;
  await watchFileCalls((call) => {
    if (count-- === 0 || isPlaced(call)) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  const nights = await createNights();
  const before = [FILE, DESCRIPTION].map((name) => [name, nights.read(name)] as const);
  const old = nights.read();
  const whole = await nights.readWhole();
  const listLeft = () => readdirSync(nights.home.folder).filter((name) => name.includes("ents-tmp"));
  /** Whether the new file is there without its description: that is finished beside it. */
  const updateOnce = async () => {
    for (const [name, text] of before) writeFileSync(nights.home.path(name), text);
    const { code } = await nights.update();
    expect([old, whole]).toContain(nights.read());
    expect([0, 6]).toContain(code);
    const isUndescribed = nights.read() === whole && nights.read(DESCRIPTION) === before[1]?.[1];
    expect(listLeft().map((name) => name.includes(DESCRIPTION))).toEqual(isUndescribed ? [true] : []);
    return isUndescribed;
  };
  const expectNext = async () => {
    const next = await nights.update();
    expect(next.stderr).not.toContain("description");
    expect([next.code, nights.read(), listLeft()]).toEqual([0, whole, []]);
    expect(nights.read(DESCRIPTION)).not.toContain("unverified_before");
    expect(nights.read(DESCRIPTION)).toContain(createHash("sha256").update(whole).digest("hex"));
  };
  // Every other one in a quick run: opening and closing come in pairs.
  let calls = runs(Math.round(Math.random()), 0);
  // A quick run takes every other call.
  for (let done = false; !done; calls += runs(2, 1)) {
    count = calls;
    const isUndescribed = await updateOnce();
    done = count >= 0;
    count = Number.POSITIVE_INFINITY;
    if (isUndescribed || done) await expectNext();
  }
  expect(calls).toBeGreaterThan(5);
  isPlaced = ({ name, to }) => name === "rename" && to.endsWith(DESCRIPTION);
  await expect(updateOnce()).resolves.toBe(true);
  isPlaced = () => false;
  await expectNext();
});

test("a service that fails leaves the file, the description and no temporary file", async () => {
  const nights = await createNights(["--retries", "0"]);
  const [before, description] = [nights.read(), nights.read(`${FILE}.datapackage.json`)];
  nights.world.play = () => refusal(503, "down");
  expect(await nights.update()).toMatchObject({ code: 5 });
  expect([nights.read(), nights.read(`${FILE}.datapackage.json`)]).toEqual([before, description]);
  expect(readdirSync(nights.home.folder).sort()).toEqual([FILE, `${FILE}.datapackage.json`]);
});

test.each([
  ["the part that stays", 1, 0],
  ["the new rows", 2, 6],
])("a full disk for %s ends the requests too, and those that wait to be sent again", async (_, full, maxRequests) => {
  let [isFull, writes] = [false, 0];
  await watchFileCalls(({ name, path }) => {
    // As on a disk that cannot share blocks: what stays is written too.
    if (name === "copyFile") throw Object.assign(new Error("not supported"), { code: "ENOTSUP" });
    if (isFull && name === "appendFile" && path.endsWith("ents-tmp") && ++writes >= full)
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  const nights = await createNights();
  const before = nights.service.requests.length;
  nights.world.play = (request) => (request - before >= 2 ? { ...refusal(503, "down"), headers: { "retry-after": "15" } } : undefined);
  let waiting = 0;
  const sleep = async (ms: number, signal: AbortSignal) => {
    if (ms < 1000) return;
    waiting++;
    await once(signal, "abort");
    waiting--;
    signal.throwIfAborted();
  };
  isFull = true;
  const run = await nights.home.run([...QUERY, "-o", FILE, "--update", "--no-resume", "--max-window", "1d", "--rate", "1000"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: nights.service.url },
    clock: { now: () => nights.world.now, sleep },
  });
  isFull = false;
  expectError(run, 6, /cannot write power\.csv: the disk is full/);
  expect(waiting).toBe(0);
  expect(nights.service.requests.length - before).toBeLessThanOrEqual(maxRequests);
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

test.each([
  ["new.csv", "      choose another with -o\n"],
  [FILE, "      the existing file is unchanged; choose another with -o\n"],
])("a lock that cannot be made says what is there: %s", async (name, hint) => {
  const nights = await createNights();
  let isFailing = true;
  await watchFileCalls(({ path }) => {
    if (isFailing && path.endsWith(".ents-lock")) throw Object.assign(new Error("permission denied"), { code: "EACCES" });
  });
  const { code, stderr } = await nights.run(...QUERY, "-o", name, "--update", "--no-resume");
  isFailing = false;
  expect({ code, stderr }).toEqual({ code: 6, stderr: `ents: cannot write ${name}: permission denied\n${hint}` });
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

test("another update that replaces the file right after its hash was read is not overlooked", async () => {
  const nights = await createNights();
  const FILES = [FILE, DESCRIPTION];
  const before = FILES.map((name) => nights.read(name));
  nights.goTo(12);
  await nights.update();
  const after = FILES.map((name) => nights.read(name));
  const put = (texts: readonly string[]) => {
    for (const [index, name] of FILES.entries()) {
      writeFileSync(nights.home.path("t"), texts[index] as string);
      renameSync(nights.home.path("t"), nights.home.path(name));
    }
  };
  put(before);
  nights.goTo(13);
  // The second time, it is opened for its hash.
  let opened = 0;
  await watchFileCalls(({ name, path }) => {
    if (name === "open" && path.endsWith(FILE) && ++opened === 3) put(after);
  });
  expectError(await nights.update(), 6, /cannot update power\.csv: another program has changed it meanwhile/);
  expect(FILES.map((name) => nights.read(name))).toEqual(after);
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});
