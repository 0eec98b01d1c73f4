/** Nights of a command that cron starts, by the real binary; the clocks of the service and of the binary are those of the night. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { TOKEN } from "../../src/sandbox/http/authorize.ts";
import { listRequests, planQuery } from "../../src/plan/plan.ts";
import { DAY, HOUR, type LocalTime, MINUTE } from "../../src/time/local-time.ts";
import { listBlocks, readPage } from "../docs/markdown.ts";
import { queryFor } from "../merge/cases.ts";
import { type Home, homeEnv, type Run } from "../support/run-ents.ts";
import type { MovingSandbox } from "./moving-sandbox.ts";

/** By which network time is ahead of UTC. */
const NEM = 10 * HOUR;
const STEP = 5 * MINUTE;
/** Of `--revise`. */
const REVISED = 7 * DAY;

/** README's crontab line with `--update`, without its times. */
export function readCronLine(): string[] {
  const lines = listBlocks(readPage("README.md")).flatMap((block) => block.lines);
  const line = lines.flatMap((text) => /^(?:[\d*,/-]+ ){5} *ents (.* --update .*)$/.exec(text)?.[1] ?? [])[0];
  if (line === undefined) throw new Error("README has no crontab line with --update");
  return line.split(/ +/);
}

/** The words with another value of a flag. */
export function replaceValue(words: readonly string[], flag: string, value: string): string[] {
  return words.map((word, index) => (words[index - 1] === flag ? value : word));
}

/** Three in the morning, network time, so many days before today, in milliseconds since 1970 UTC. */
export function nightBefore(nights: number): number {
  return Math.floor((Date.now() + NEM) / DAY) * DAY + 3 * HOUR - NEM - nights * DAY;
}

export interface Night {
  readonly home: Home;
  readonly sandbox: MovingSandbox;
  readonly words: readonly string[];
  /** When it is killed, in milliseconds after its start. */
  readonly killAfter?: number;
}

export async function runNight({ home, sandbox, words, killAfter }: Night): Promise<Run> {
  const clock = `const ahead = ${sandbox.now} - Date.now(), real = Date.now; Date.now = () => real() + ahead;`;
  const { child, finished } = home.start(words, {
    env: {
      ENTS_TOKEN: TOKEN,
      ENTS_BASE_URL: sandbox.url,
      NODE_OPTIONS: `${homeEnv(home.folder)["NODE_OPTIONS"]} --import=data:text/javascript,${encodeURIComponent(clock)}`,
    },
  });
  if (killAfter !== undefined) void sleep(killAfter).then(() => child.kill("SIGKILL"));
  return finished;
}

/** The network's wall clock. */
export function localTime({ now }: MovingSandbox): LocalTime {
  return now + NEM;
}

export interface FileState {
  readonly hash: string;
  /** Where its rows end: the bucket after the last. */
  readonly end: LocalTime;
}

/** Of a csv file; undefined without one. */
export function readState(path: string): FileState | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const last = bytes
    .subarray(bytes.lastIndexOf("\n", -2) + 1)
    .toString()
    .slice(0, "2025-01-31T14:05:00".length);
  return { hash: createHash("sha256").update(bytes).digest("hex"), end: Date.parse(`${last}Z`) + STEP };
}

/** The requests of a night's new window: what may be restated of the file, and what it does not have yet. */
export function countNeeded(end: LocalTime, { now }: MovingSandbox): number {
  const window = { start: end - STEP - REVISED, end: now + NEM - 1000 };
  const query = queryFor({ network: "NEM", interval: "5m" }, window, ["price"]);
  return listRequests(planQuery(query, { now, maxWindow: undefined })).length;
}
