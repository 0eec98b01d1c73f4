/**
 * Wherever an update fails, the old file or the new one is there, and the next update gives the bytes of a complete
 * export.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { TOKEN } from "../e2e/envelopes.ts";
import { expectError } from "../e2e/old-file.ts";
import { type FileCall, watchFileCalls } from "../files/file-calls.ts";
import { createGate } from "../support/gate.ts";
import { createNights, DOWN, expectWhole, FILE, type Nights, QUERY, readChanges } from "./nights.ts";

const DESCRIPTION = `${FILE}.datapackage.json`;
const KEPT = `${FILE}.ents`;

const full = () => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

function restate({ world, change }: Nights): void {
  change({ series: world.model.series.map((one) => ({ ...one, base: one.base + 10 })) });
}

/** Of the first update: all of it is fetched again. */
const RESTATED = 2 * 10 * 24;

test("every call on a file fails once: the file is the old one or the new one; the next update is right, and logs each change once", async () => {
  let count = Number.POSITIVE_INFINITY;
  await watchFileCalls(() => {
    if (count-- === 0) throw full();
  });
  const nights = await createNights();
  restate(nights);
  const { home } = nights;
  const names = [FILE, DESCRIPTION, KEPT];
  for (const name of names) cpSync(home.path(name), home.path(`first/${name}`), { recursive: true });
  const [old, whole] = [nights.read(), await nights.readWhole()];
  const listLeft = () => readdirSync(home.folder).filter((name) => name.includes("ents-tmp"));
  let calls = 0;
  for (let done = false; !done; calls++) {
    rmSync(home.path(KEPT), { recursive: true, force: true });
    for (const name of names) cpSync(home.path(`first/${name}`), home.path(name), { recursive: true });
    count = calls;
    const { code, stderr } = await nights.update();
    done = count >= 0;
    count = Number.POSITIVE_INFINITY;
    const told = `call ${calls}: ${stderr}`;
    expect({ told, code: [0, 6].includes(code as number), file: [old, whole].includes(nights.read()) }).toEqual({
      told,
      code: true,
      file: true,
    });
    const next = await nights.update();
    const logged = readChanges(nights.kept).length;
    expect({ told, code: next.code, same: nights.read() === whole, left: listLeft(), logged }).toEqual({
      told,
      code: 0,
      same: true,
      left: [],
      logged: RESTATED,
    });
    expect(nights.read(DESCRIPTION)).toContain(createHash("sha256").update(whole).digest("hex"));
  }
  expect(calls).toBeGreaterThan(20);
});

test("a full disk for a response ends the requests too, and those that wait to be sent again", async () => {
  let isFull = false;
  await watchFileCalls(({ path }) => {
    if (isFull && path.includes(".json.gz")) throw full();
  });
  const nights = await createNights();
  const before = nights.service.requests.length;
  nights.fail({ ...DOWN, headers: { "retry-after": "15" } }, (request) => request >= 2);
  let waiting = 0;
  const sleep = async (ms: number, signal: AbortSignal) => {
    if (ms < 1000) return;
    waiting++;
    await once(signal, "abort");
    waiting--;
    signal.throwIfAborted();
  };
  isFull = true;
  const run = await nights.home.run([...QUERY, "-o", FILE, "--update", "--max-window", "1d", "--rate", "1000"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: nights.service.url },
    clock: { now: () => nights.world.now, sleep },
  });
  isFull = false;
  expectError(run, 6, /cannot store responses in power\.csv\.ents: no space left on device|the disk is full/);
  expect(waiting).toBe(0);
  expect(nights.service.requests.length - before).toBeLessThanOrEqual(6);
});

test.each(["new.csv", FILE])("a lock that cannot be made says what is there: %s", async (name) => {
  const nights = await createNights();
  let isFailing = true;
  const isLock = ({ path, to }: FileCall) => [path, to].some((one) => /\/lock/.test(one));
  await watchFileCalls((call) => {
    if (isFailing && isLock(call)) throw Object.assign(new Error("permission denied"), { code: "EACCES" });
  });
  const run = await nights.run(...QUERY, "-o", name, "--update");
  isFailing = false;
  expectError(run, 6, new RegExp(`cannot store responses in ${name}\\.ents: permission denied`));
  expect(existsSync(nights.home.path(name))).toBe(name === FILE);
});

test.each([
  [FILE, []],
  ["power", ["-f", "csv", "--partition", "month"]],
] as const)("of two updates of %s at once, the second stops", async (file, flags) => {
  for (const first of [0, 10]) {
    const nights = await createNights(flags, undefined, { file, first });
    const gate = createGate();
    nights.world.play = () => ({ ...DOWN, after: gate.opened });
    const before = nights.service.requests.length;
    const running = nights.update("--retries", "1");
    await nights.service.received(before + 1);
    expectError(await nights.update(), 6, new RegExp(`another ents .*is writing ${file}`));
    nights.recover();
    gate.open();
    expect(await running).toMatchObject({ code: 0 });
    await expectWhole(nights);
  }
});
