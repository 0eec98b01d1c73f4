/** SIGKILL at random instants: the file is the old one or the new one, and the same command finishes from what is kept. */
import { type FSWatcher, readdirSync, readFileSync, watch } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { fetchWhole, OUT, PIECES, QUERY, runIn, startIn, startWorldService } from "../faults/world-service.ts";
import { runs } from "../support/extent.ts";
import type { Home } from "../support/run-ents.ts";
import type { ScriptedService } from "../support/scripted-service.ts";
import { COMMAND, listKept, PARTIAL, writeOld } from "./partial.ts";
import { createRandom, SEED } from "./random.ts";

const HOMES = runs(4, 60);
const KILLS_A_HOME = runs(3, 6);
const OLD = "what was there before\n";

let whole = "";
/** How long the command takes here and now, in milliseconds. */
let duration = 0;

beforeAll(async () => {
  whole = await fetchWhole(QUERY, ["-f", "csv"]);
  const service = await startWorldService();
  const started = performance.now();
  await startIn({ home: createHomeWithFile(), service }, COMMAND).finished;
  duration = performance.now() - started;
});

const homes = Array.from({ length: HOMES }, (_, index) => SEED + index);

test.concurrent.for(homes)(`killed ${KILLS_A_HOME} times, then finished (seed %i)`, async (seed) => {
  const random = createRandom(seed);
  const service = await startWorldService({ play: ({ good }) => ({ ...good, delayMs: random() * 40 }) });
  const home = createHomeWithFile();
  const kills: string[] = [];
  for (let kill = 0; kill < KILLS_A_HOME; kill++) {
    writeOld(home, OLD);
    const asker = { home, service, token: `token-${kill}` };
    const kept = listKept(home).length;
    kills.push(await killOnce(asker, random));
    const file = readFileSync(home.path(OUT), "utf8");
    expect({ kills, oldOrNew: file === OLD || file === whole }).toEqual({ kills, oldOrNew: true });
    expect(countRequests(asker)).toBeLessThanOrEqual(PIECES - kept);
  }
  writeOld(home, OLD);
  const asker = { home, service, token: "token-last" };
  const kept = listKept(home).length;
  const run = await runIn(asker, COMMAND);
  const goingOn = expect.stringMatching(/^(ents: note: resuming: \d of 7 requests are already done [^\n]*\n)?$/) as string;
  expect({ kills, ...run }).toEqual({ kills, code: 0, signal: null, stdout: "", stderr: goingOn });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  expect({ kills, files: readdirSync(home.folder) }).toEqual({ kills, files: [OUT] });
  expect({ kills, requests: countRequests(asker) }).toEqual({ kills, requests: PIECES - kept });
});

interface KillAsker {
  readonly home: Home;
  readonly service: ScriptedService;
  /** Another for each run: what one sent before it was killed may arrive while the next is at work. */
  readonly token: string;
}

function countRequests({ service, token }: KillAsker): number {
  return service.requests.filter(({ headers }) => headers.authorization === `Bearer ${token}`).length;
}

/** Kills the command after a while, or at one of the changes that it makes to its files; says when. */
async function killOnce(asker: KillAsker, random: () => number): Promise<string> {
  const { child, finished } = startIn(asker, COMMAND);
  const byChange = random() < 0.5;
  const changes = 1 + Math.floor(random() * 45);
  const delay = random() * duration * 1.1;
  if (byChange) watchChanges(asker.home, { changes, onReached: () => child.kill("SIGKILL"), until: finished });
  else void sleep(delay).then(() => child.kill("SIGKILL"));
  const { code, signal } = await finished;
  // Some are killed too late, when they are done.
  expect([`${null} SIGKILL`, `0 ${null}`]).toContain(`${code} ${signal}`);
  return `${signal === null ? "done before " : ""}${byChange ? `change ${changes}` : `${Math.round(delay)} ms`}`;
}

interface Watching {
  readonly changes: number;
  readonly onReached: () => void;
  readonly until: Promise<unknown>;
}

function watchChanges(home: Home, { changes, onReached, until }: Watching): void {
  let left = changes;
  const watchers: FSWatcher[] = [];
  const onChange = (name?: string | null) => {
    if (--left === 0) onReached();
    if (name === PARTIAL && watchers.length < 2) add(home.path(PARTIAL));
  };
  const add = (folder: string) => {
    try {
      const watcher = watch(folder, (_, name) => onChange(name));
      watcher.on("error", () => {});
      watchers.push(watcher);
    } catch {
      // It is gone already.
    }
  };
  add(home.folder);
  if (readdirSync(home.folder).includes(PARTIAL)) add(home.path(PARTIAL));
  void until.then(() => {
    for (const watcher of watchers) watcher.close();
  });
}
