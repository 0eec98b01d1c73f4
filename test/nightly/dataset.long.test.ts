/**
 * The crontab line that keeps a dataset current, in fast motion: every seventh night has no quota, every tenth is killed.
 * In the end every file equals that of one fresh export.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parquetMetadata } from "hyparquet";
import { expect, test } from "vitest";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { readFiles } from "../dataset/datasets.ts";
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

const FOLDER = "energy";
/** Before the first night. */
const DAYS_BACK = 700;
/** Paid answers, as a share of those that the successful nights needed. */
const ALLOWED_SHARE = 1.1;

const words = replaceValue(replaceValue(readCronLine("docs/every-night.md", "--partition"), "-o", `${FOLDER}/`), "-s", `-${DAYS_BACK}d`);

test(`the dataset of 400 nights (seed ${SEED})`, async () => {
  const sandbox = await startMovingSandbox(firstNight(), "community");
  const start = localTime(sandbox) - DAYS_BACK * DAY;
  const home = createHome();
  await home.run(["config", "set", "rate", "1000"]);
  const counts: number[] = [];
  const { paid, needed } = await runNights({
    home,
    sandbox,
    words,
    random: createRandom(SEED),
    readState: () => {
      const files = listVisible(home.path(FOLDER));
      counts.push(files.reduce((sum, [, bytes]) => sum + countRows(bytes), 0));
      return readState(home.path(FOLDER));
    },
    countNeeded: (last) => countRequests(words, { start, last }, sandbox),
  });

  const unlimited = await startMovingSandbox(sandbox.now - DAY, "none");
  expect(await runNight({ home, sandbox: unlimited, words: exportFresh(words, "fresh/", start) })).toMatchObject({ code: 0, stderr: "" });
  const [own, fresh] = [listVisible(home.path(FOLDER)), listVisible(home.path("fresh"))];
  expect(own.map(([path]) => path)).toEqual(fresh.map(([path]) => path));
  for (const [index, [path, bytes]] of own.entries())
    expect({ path, isSame: bytes.equals(fresh[index]?.[1] as Buffer) }).toEqual({ path, isSame: true });
  expect(Object.keys(readFiles(home.path(FOLDER))).filter((path) => !path.endsWith("/data.parquet"))).toEqual(["datapackage.json"]);
  expect(readdirSync(home.folder).toSorted()).toEqual(["config", FOLDER, "fresh"]);
  // Readers never saw fewer rows.
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(paid).toBeLessThanOrEqual(ALLOWED_SHARE * needed);
});

/** What readers see: no names that begin with a dot. */
function listVisible(folder: string): [path: string, bytes: Buffer][] {
  if (!existsSync(folder)) return [];
  return Object.entries(readFiles(folder)).filter(([path]) => path.endsWith(".parquet") && !path.startsWith("."));
}

function readState(folder: string): State | undefined {
  const files = listVisible(folder);
  if (files.length === 0) return undefined;
  const { ents } = JSON.parse(readFileSync(`${folder}/datapackage.json`, "utf8")) as {
    ents: { series: { last: string }[]; unfinished?: boolean };
  };
  const last = Math.max(...ents.series.map((one) => Date.parse(one.last)));
  const isUnfinished = ents.unfinished !== undefined;
  return { hash: hashAll(files.flat()), end: last + 10 * HOUR + HOUR, isUnfinished };
}

function parse(bytes: Buffer) {
  return parquetMetadata(Uint8Array.from(bytes).buffer);
}

function countRows(bytes: Buffer): number {
  return Number(parse(bytes).num_rows);
}
