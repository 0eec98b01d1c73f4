/**
 * README's crontab line that keeps a file current, in fast motion: every seventh night has no quota, every tenth is
 * killed. In the end the file equals one fresh export.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DAY, MINUTE } from "../../src/time/local-time.ts";
import { createRandom, SEED } from "../support/random.ts";
import { createHome } from "../support/run-ents.ts";
import { startMovingSandbox } from "./moving-sandbox.ts";
import {
  countRequests,
  exportFresh,
  firstNight,
  hashAll,
  localTime,
  readCronLine,
  replaceValue,
  runNight,
  runNights,
  type State,
} from "./nights.ts";

const FILE = "price.csv";
const STEP = 5 * MINUTE;
/** Before the first night. */
const DAYS_BACK = 729;
/** Paid answers, as a share of those that the successful nights needed. */
const ALLOWED_SHARE = 1.1;

const words = replaceValue(replaceValue(readCronLine("README.md"), "-o", FILE), "-s", `-${DAYS_BACK}d`);

test(`the file of 400 nights (seed ${SEED})`, async () => {
  const sandbox = await startMovingSandbox(firstNight(), "community");
  const start = localTime(sandbox) - DAYS_BACK * DAY;
  const home = createHome();
  await home.run(["config", "set", "rate", "1000"]);
  const { paid, needed } = await runNights({
    home,
    sandbox,
    words,
    random: createRandom(SEED),
    readState: () => readState(home.path(FILE)),
    countNeeded: (last) => countRequests(words, { start, last }, sandbox),
  });

  const unlimited = await startMovingSandbox(sandbox.now - DAY, "none");
  expect(await runNight({ home, sandbox: unlimited, words: exportFresh(words, "fresh.csv", start) })).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(await home.shell(`cmp ${FILE} fresh.csv`)).toMatchObject({ code: 0, stdout: "" });
  expect(readdirSync(home.folder).toSorted()).toEqual(["config", "fresh.csv", FILE, `${FILE}.datapackage.json`, `${FILE}.ents`]);
  expect(paid).toBeLessThanOrEqual(ALLOWED_SHARE * needed);
});

function readState(path: string): State | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const last = bytes
    .subarray(bytes.lastIndexOf("\n", -2) + 1)
    .toString()
    .slice(0, "2025-01-31T14:05:00".length);
  return { hash: hashAll([bytes]), end: Date.parse(`${last}Z`) + STEP };
}
