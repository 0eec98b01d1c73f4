/**
 * README's crontab line that keeps a file current, night after night in fast motion: every seventh night has no quota, every
 * tenth is killed. In the end the file is that of one fresh export.
 */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { DAY, formatLocalTime } from "../../src/time/local-time.ts";
import { createRandom, SEED } from "../resume/random.ts";
import { createHome } from "../support/run-ents.ts";
import { startMovingSandbox } from "./moving-sandbox.ts";
import {
  countNeeded,
  type FileState,
  localTime,
  type Night,
  nightBefore,
  readCronLine,
  readState,
  replaceValue,
  runNight,
} from "./nights.ts";

const NIGHTS = 400;
const FILE = "price.csv";
/** Of the first night's start. */
const DAYS_BACK = 729;
/** Answers that may be paid for, by those that the nights that were done had to have. */
const ALLOWED_SHARE = 1.2;

const words = replaceValue(replaceValue(readCronLine(), "-o", FILE), "-s", `-${DAYS_BACK}d`);

/** How a night may end: the exit code or the signal, and the file. */
const ENDS = {
  plain: ["0, current"],
  spent: ["3, unchanged", "0, current"],
  killed: ["SIGKILL, unchanged", "SIGKILL, current", "0, current"],
};

function findFate(number: number): keyof typeof ENDS {
  if (number % 7 === 0) return "spent";
  return number % 10 === 0 ? "killed" : "plain";
}

test(`${NIGHTS} nights (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
  const random = createRandom(SEED);
  const sandbox = await startMovingSandbox(nightBefore(NIGHTS), "community");
  const firstStart = localTime(sandbox) - DAYS_BACK * DAY;
  const home = createHome();
  await home.run(["config", "set", "rate", "1000"]);
  const night: Night = { home, sandbox, words };
  let file: FileState | undefined;
  let needed = 0;
  let duration = 1000;

  // After the last night, there is one more on which nothing happens.
  for (let number = 1; number <= NIGHTS + 1; number++, sandbox.now += DAY) {
    const fate = number > NIGHTS ? "plain" : findFate(number);
    // After one answer, a 401 is waited for to pass.
    if (fate === "spent") sandbox.leaveQuota(Math.floor(random() * 2));
    const started = performance.now();
    const { code, signal, stderr } = await runNight(fate === "killed" ? { ...night, killAfter: random() * duration * 1.1 } : night);
    const after = readState(home.path(FILE));
    const isCurrent = after?.end === localTime(sandbox);
    const state = after?.hash === file?.hash ? "unchanged" : isCurrent ? "current" : "wrong";
    expect(ENDS[fate], `night ${number}: ${stderr}`).toContain(`${code ?? signal}, ${state}${code === 0 ? stderr : ""}`);
    if (isCurrent) needed += file ? countNeeded(file.end, sandbox) : sandbox.answered;
    if (isCurrent && file && code === 0) duration = performance.now() - started;
    file = after;
  }

  const unlimited = await startMovingSandbox(sandbox.now - DAY, "none");
  const start = formatLocalTime(firstStart);
  const fresh = replaceValue(replaceValue(words, "-o", "fresh.csv"), "-s", start).filter((word) => word !== "--update");
  expect(await runNight({ home, sandbox: unlimited, words: fresh })).toMatchObject({ code: 0, stderr: "" });
  expect(await home.shell(`cmp ${FILE} fresh.csv`)).toMatchObject({ code: 0, stdout: "" });
  expect(readdirSync(home.folder).toSorted()).toEqual(["config", "fresh.csv", FILE, `${FILE}.datapackage.json`]);
  expect(sandbox.answered).toBeLessThanOrEqual(ALLOWED_SHARE * needed);
});
