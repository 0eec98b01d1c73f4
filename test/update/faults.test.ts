/** An update that fails, wherever: the old file or the new one is there, and the next one makes it that of a whole export. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { expectError } from "../e2e/old-file.ts";
import { watchFileCalls } from "../files/file-calls.ts";
import { createGate } from "../support/gate.ts";
import { createNights, FILE } from "./nights.ts";

test("every call on a file fails once", async () => {
  let count = Number.POSITIVE_INFINITY;
  await watchFileCalls(() => {
    if (count-- === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  const nights = await createNights();
  const before = nights.read();
  const whole = await nights.readWhole();
  for (let failing = 0, done = false; !done; failing++) {
    count = failing;
    const { code } = await nights.update();
    done = count >= 0;
    count = Number.POSITIVE_INFINITY;
    expect([before, whole]).toContain(nights.read());
    expect(readdirSync(nights.home.folder).filter((name) => name.includes("ents-tmp"))).toEqual([]);
    expect([0, 6]).toContain(code);
    if (!done) continue;
    expect(failing).toBeGreaterThan(5);
    expect(nights.read()).toBe(whole);
  }
});

test("a service that fails leaves the file, the description and no temporary file", async () => {
  const nights = await createNights(["--retries", "0"]);
  const [before, description] = [nights.read(), nights.read(`${FILE}.datapackage.json`)];
  nights.world.play = () => refusal(503, "down");
  expect(await nights.update()).toMatchObject({ code: 5 });
  expect([nights.read(), nights.read(`${FILE}.datapackage.json`)]).toEqual([before, description]);
  expect(readdirSync(nights.home.folder).sort()).toEqual([FILE, `${FILE}.datapackage.json`]);
});

test("of two updates at once, the second stops", async () => {
  const nights = await createNights();
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
