/**
 * SIGKILL at random moments: the file is the old one or the new one, and the same command finishes from what is kept.
 */
import { type FSWatcher, readdirSync, readFileSync, watch } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { CUT, fetchWhole, OUT, PIECES, QUERY, runIn, startIn, startWorldService } from "../faults/world-service.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import type { ScriptedService } from "../support/scripted-service.ts";
import { listKept, partialOf, writeOld } from "./partial.ts";
import { createRandom, SEED } from "../support/random.ts";

const HOMES = 60;
const KILLS_A_HOME = 6;
const OLD = "what was there before\n";
/** The homes take turns. */
const OUTPUTS = [OUT, "old.csv.gz", "old.xlsx"];

/** How long the command takes on this machine, in milliseconds. */
let duration = 0;

beforeAll(async () => {
  const service = await startWorldService();
  const started = performance.now();
  await startIn({ service }, commandFor(OUT)).finished;
  duration = performance.now() - started;
});

const homes = Array.from(
  { length: HOMES },
  (_, index) => [OUTPUTS[index % OUTPUTS.length] ?? OUT, SEED + index] as const,
);

test.concurrent.for(homes)(`%s: killed ${KILLS_A_HOME} times, then finished (seed %i)`, async ([output, seed]) => {
  const random = createRandom(seed);
  const service = await startWorldService({ play: ({ good }) => ({ ...good, delayMs: random() * 40 }) });
  const whole = await exportWhole(service, output);
  const home = createHome();
  const kills: string[] = [];
  for (let kill = 0; kill < KILLS_A_HOME; kill++) {
    writeOld(home, OLD, output);
    const asker = { home, service, output, token: `token-${kill}` };
    const kept = listKept(home, output).length;
    kills.push(await killOnce(asker, random));
    const file = readFileSync(home.path(output));
    expect({ kills, oldOrNew: file.equals(Buffer.from(OLD)) || file.equals(whole) }).toEqual({ kills, oldOrNew: true });
    expect(countRequests(asker)).toBeLessThanOrEqual(PIECES - kept);
  }
  writeOld(home, OLD, output);
  const asker = { home, service, output, token: "token-last" };
  const kept = listKept(home, output).length;
  const run = await runIn(asker, commandFor(output));
  const goingOn = expect.stringMatching(
    /^(ents: note: resuming: \d of 7 requests are already done [^\n]*\n)?$/,
  ) as string;
  expect({ kills, ...run }).toEqual({ kills, code: 0, signal: null, stdout: "", stderr: goingOn });
  expect(readFileSync(home.path(output)).equals(whole)).toBe(true);
  expect({ kills, files: readdirSync(home.folder) }).toEqual({ kills, files: [output] });
  expect({ kills, requests: countRequests(asker) }).toEqual({ kills, requests: PIECES - kept });
});

/** Seven requests. */
function commandFor(output: string): string[] {
  return [...QUERY, ...CUT, "-o", output];
}

/** The bytes of an undisturbed export. */
async function exportWhole(service: ScriptedService, output: string): Promise<Buffer> {
  if (output === OUT) return Buffer.from(await fetchWhole(QUERY, ["-f", "csv"]));
  const home = createHome();
  await runIn({ home, service }, commandFor(output));
  return readFileSync(home.path(output));
}

interface KillAsker {
  readonly home: Home;
  readonly service: ScriptedService;
  readonly output: string;
  /** Differs in each run: a request of a killed run may arrive during the next. */
  readonly token: string;
}

function countRequests({ service, token }: KillAsker): number {
  return service.requests.filter(({ headers }) => headers.authorization === `Bearer ${token}`).length;
}

/** Kills the command after a random time, or at one of its changes to files; returns when. */
async function killOnce(asker: KillAsker, random: () => number): Promise<string> {
  const { child, finished } = startIn(asker, commandFor(asker.output));
  const byChange = random() < 0.5;
  const changes = 1 + Math.floor(random() * 45);
  const delay = random() * duration * 1.1;
  if (byChange) watchChanges(asker, { changes, onReached: () => child.kill("SIGKILL"), until: finished });
  else void sleep(delay).then(() => child.kill("SIGKILL"));
  const { code, signal } = await finished;
  // Some are killed too late, when they have finished.
  expect([`${null} SIGKILL`, `0 ${null}`]).toContain(`${code} ${signal}`);
  return `${signal === null ? "done before " : ""}${byChange ? `change ${changes}` : `${Math.round(delay)} ms`}`;
}

interface Watching {
  readonly changes: number;
  readonly onReached: () => void;
  readonly until: Promise<unknown>;
}

function watchChanges({ home, output }: KillAsker, { changes, onReached, until }: Watching): void {
  let left = changes;
  const watchers: FSWatcher[] = [];
  const partial = partialOf(output);
  const onChange = (name?: string | null) => {
    if (--left === 0) onReached();
    if (name === partial && watchers.length < 2) add(home.path(partial));
  };
  const add = (folder: string) => {
    try {
      const watcher = watch(folder, (_, name) => onChange(name));
      watcher.on("error", () => {});
      watchers.push(watcher);
    } catch {
      // It was already gone.
    }
  };
  add(home.folder);
  if (readdirSync(home.folder).includes(partial)) add(home.path(partial));
  void until.then(() => {
    for (const watcher of watchers) watcher.close();
  });
}
