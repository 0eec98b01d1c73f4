/** Nightly runs of a cron command with the real binary; the service and the binary share the clock of the night. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { ListedInterval } from "../../src/base/intervals.ts";
import { TOKEN } from "../../src/sandbox/http/respond.ts";
import { listRequests, planQuery } from "../../src/plan/plan.ts";
import { DAY, formatLocalTime, HOUR, type LocalTime } from "../../src/time/local-time.ts";
import { listBlocks, readPage } from "../docs/markdown.ts";
import { queryFor } from "../merge/cases.ts";
import { type Home, homeEnv, type Run } from "../support/run-ents.ts";
import type { MovingSandbox } from "./moving-sandbox.ts";

/** The first crontab line of a page with --update and these flags, without its schedule. */
export function readCronLine(page: string, ...flags: readonly string[]): string[] {
  const lines = listBlocks(readPage(page)).flatMap((block) => block.lines);
  const commands = lines.map((text) => /^(?:[\d*,/-]+ ){5} *ents (.*)$/.exec(text)?.[1]?.split(/ +/) ?? []);
  const found = commands.find((words) => words.includes("--update") && flags.every((flag) => words.includes(flag)));
  if (!found) throw new Error(`${page} has no crontab line with --update ${flags.join(" ")}`);
  return found;
}

/** The words with another value of a flag. */
export function replaceValue(words: readonly string[], flag: string, value: string): string[] {
  return words.map((word, index) => (words[index - 1] === flag ? value : word));
}

export interface Night {
  readonly home: Home;
  readonly sandbox: MovingSandbox;
  readonly words: readonly string[];
  /** When to kill it, in milliseconds after its start. */
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

export interface State {
  /** The hash of everything that readers see. */
  readonly hash: string;
  /** The end of its last row. */
  readonly end: LocalTime;
  /** Whether some files of a dataset may be from the night before. */
  readonly isUnfinished?: boolean;
}

const NIGHTS = 400;

/** How a night may end: the exit code or signal, and the state of the output. */
const ENDS = {
  plain: ["0, current"],
  spent: ["3, unchanged", "0, current"],
  killed: ["SIGKILL, unchanged", "SIGKILL, unfinished", "SIGKILL, current", "0, current"],
};

function findFate(number: number): keyof typeof ENDS {
  if (number % 7 === 0) return "spent";
  return number % 10 === 0 ? "killed" : "plain";
}

export interface Nights extends Omit<Night, "killAfter"> {
  readonly random: () => number;
  /** The state of the output; undefined if there is none. */
  readonly readState: () => State | undefined;
  /** How many requests a night needs after one that ended there. */
  readonly countNeeded: (end: LocalTime) => number;
}

/** The answers that were paid for, and those that the successful nights needed. */
export interface Costs {
  readonly paid: number;
  readonly needed: number;
}

/** Every seventh night has no quota, every tenth is killed; one more night follows on which nothing happens. */
export async function runNights({ random, readState, countNeeded, ...night }: Nights): Promise<Costs> {
  const { sandbox } = night;
  const ends = new Set<string>();
  let state: State | undefined;
  let needed = 0;
  let duration = 1000;
  for (let number = 1; number <= NIGHTS + 1; number++, sandbox.now += DAY) {
    const fate = number > NIGHTS ? "plain" : findFate(number);
    // After a first answer, a 401 is retried for a while.
    if (fate === "spent") sandbox.leaveQuota(Math.floor(random() * 2));
    const started = performance.now();
    const { code, signal, stderr } = await runNight(fate === "killed" ? { ...night, killAfter: random() * duration * 1.1 } : night);
    const after = readState();
    const isCurrent = after?.end === localTime(sandbox) && !after.isUnfinished;
    const told = after?.hash === state?.hash ? "unchanged" : isCurrent ? "current" : after?.isUnfinished ? "unfinished" : "wrong";
    const end = `${code ?? signal}, ${told}`;
    expect(ENDS[fate], `night ${number}: ${stderr}`).toContain(end + (code === 0 ? stderr : ""));
    ends.add(end);
    if (isCurrent) needed += state ? countNeeded(state.end) : sandbox.answered;
    if (isCurrent && state && code === 0) duration = performance.now() - started;
    state = after;
  }
  expect([...ends]).toEqual(expect.arrayContaining(["0, current", "3, unchanged", "SIGKILL, unchanged"]));
  return { paid: sandbox.answered, needed };
}

/** The words of a fresh export of the same query, from a fixed start. */
export function exportFresh(words: readonly string[], output: string, start: LocalTime): string[] {
  return replaceValue(replaceValue(words, "-o", output), "-s", formatLocalTime(start)).filter((word) => word !== "--update");
}

export function hashAll(parts: readonly (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** The requests of a night: the windows that ended within `--revise` of the previous night, and a recheck. */
export function countRequests(
  words: readonly string[],
  { start, last }: { readonly start: LocalTime; readonly last: LocalTime },
  { now }: MovingSandbox,
): number {
  const [interval, metric] = ["-i", "-m"].map((flag) => words[words.indexOf(flag) + 1]) as [ListedInterval, string];
  const query = queryFor({ network: "NEM", interval }, { start, end: now + NEM - 1000 }, [metric]);
  const { windows } = planQuery(query, { now, maxWindow: undefined });
  return listRequests({ windows: windows.filter(({ window: { end = now } }) => end + REVISED > last) }).length + 1;
}

/** Three in the morning, network time, of the first of the nights that end today, in milliseconds since 1970 UTC. */
export function firstNight(): number {
  return Math.floor((Date.now() + NEM) / DAY) * DAY + 3 * HOUR - NEM - NIGHTS * DAY;
}

/** The value of `--revise`. */
export const REVISED = 7 * DAY;

/** How far network time is ahead of UTC. */
const NEM = 10 * HOUR;
