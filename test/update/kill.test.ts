/** SIGKILL during an update: the file is the old one or the new one, and the next update gives the bytes of a complete export. */
import { createHash } from "node:crypto";
import { readdirSync, watch } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { TOKEN } from "../e2e/envelopes.ts";
import { STEP } from "../merge/buckets.ts";
import { dieAtRename } from "../support/die-at-rename.ts";
import { FULL, LONG } from "../support/extent.ts";
import { createRandom, SEED } from "../support/random.ts";
import { homeEnv } from "../support/run-ents.ts";
import { createNights, FILE, type Nights, QUERY, REGIONS, START } from "./nights.ts";
import { type DescribedRequest, dropMarks, expectAllOrigins, markAnswer } from "./origins.ts";
import { add } from "./world.ts";

const HOMES = 4;
const NIGHTS = 4;
const KILLS_A_NIGHT = 4;
const LOG = "log.csv";

const SEEDS = Array.from({ length: HOMES }, (_, index) => SEED + index);

test.runIf(LONG).concurrent.for(SEEDS)("at random instants, seed %i", async (seed) => {
  const random = createRandom(seed);
  const nights = await createMarked();
  const kills: string[] = [];
  let duration = 1000;
  for (let night = 11; night < 11 + NIGHTS; night++) {
    nights.goTo(night);
    restate(nights, night);
    const before = dropMarks(nights.read());
    const whole = dropMarks(await nights.readWhole());
    for (let kill = 0; kill < KILLS_A_NIGHT; kill++) {
      kills.push(await killOnce(nights, { random, duration }));
      expect({ kills, oldOrNew: [before, whole].includes(dropMarks(nights.read())) }).toEqual({ kills, oldOrNew: true });
    }
    const started = performance.now();
    const { code, stdout } = await start(nights).finished;
    duration = performance.now() - started;
    expect({ kills, code, stdout, same: dropMarks(nights.read()) === whole }).toEqual({ kills, code: 0, stdout: "", same: true });
    const left = readdirSync(nights.home.folder).filter((name) => /ents-tmp/.test(name));
    expect({ kills, left, isDescribed: isDescribed(nights), isLogged: isLogged(nights, night) }).toEqual({
      kills,
      left: [],
      isDescribed: true,
      isLogged: true,
    });
    expectOrigins(nights);
  }
});

// test/update/history.test.ts also ends updates at these points, in this process.
test.runIf(FULL)("when any of its renames is due, that of its description too", async () => {
  const nights = await createMarked();
  const ends: string[] = [];
  for (let rename = 0; !ends.includes("done"); rename++) {
    nights.goTo(11 + rename);
    const before = nights.read();
    const whole = dropMarks(await nights.readWhole());
    const { signal, code } = await start(nights, rename).finished;
    const state = nights.read() === before ? "old" : "new";
    ends.push(signal === "SIGKILL" ? state : "done");
    expect([signal ?? code, dropMarks(nights.read()) === (state === "old" ? dropMarks(before) : whole)]).toEqual([signal ?? 0, true]);
    const { code: next, stderr } = await start(nights).finished;
    expect({ next, stderr, same: dropMarks(nights.read()) === whole }).toMatchObject({ next: 0, same: true });
    expect(stderr).not.toContain("description");
    expect(isDescribed(nights)).toBe(true);
    expectOrigins(nights);
  }
  // The renames of the answer, the file, the description and the digests.
  expect(ends).toEqual(["old", "old", "new", "new", "done"]);
});

const createMarked = () => createNights([], REGIONS, { mark: markAnswer });

/** Found by the description. */
function expectOrigins(nights: Nights): void {
  const { ents } = JSON.parse(nights.read(`${FILE}.datapackage.json`)) as { ents: { requests: DescribedRequest[] } };
  expectAllOrigins(ents.requests, nights.read(), nights.service);
}

/** The fifth hour of the day before yesterday. */
function restate({ world }: Nights, night: number): void {
  const at = (START + (night - 3) * DAY + 5 * HOUR) / STEP;
  const [one, ...others] = REGIONS as [(typeof REGIONS)[0]];
  world.model = { ...world.model, series: [{ ...one, nulls: add(one.nulls, [at, at + HOUR / 2 / STEP]) }, ...others] };
}

/** Runs the real binary on the clock of the night. `dieAt`: the number of the rename before which it is killed. */
function start({ home, world, service }: Nights, dieAt?: number) {
  const clock = `const ahead = ${world.now} - Date.now(), real = Date.now; Date.now = () => real() + ahead;`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(clock)}`;
  const { NODE_OPTIONS, ...dying } = dieAt === undefined ? homeEnv(home.folder) : dieAtRename(home, dieAt);
  const env = { ...dying, ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url, NODE_OPTIONS: `${NODE_OPTIONS} ${preload}` };
  return home.start([...QUERY, "-o", FILE, "--update", "--changes", LOG], { env });
}

interface Killing {
  readonly random: () => number;
  /** The time of a complete run, in milliseconds. */
  readonly duration: number;
}

/** Kills an update after a random time, or at one of its changes in the folder; returns when. */
async function killOnce(nights: Nights, { random, duration }: Killing): Promise<string> {
  const { child, finished } = start(nights);
  const byChange = random() < 0.5;
  let changes = 1 + Math.floor(random() * 30);
  const delay = random() * duration * 1.1;
  const watcher = byChange ? watch(nights.home.folder, () => --changes === 0 && child.kill("SIGKILL")) : undefined;
  if (!byChange) void sleep(delay).then(() => child.kill("SIGKILL"));
  const when = byChange ? `change ${changes}` : `${Math.round(delay)} ms`;
  const { code, signal, stderr } = await finished;
  watcher?.close();
  // Some are killed too late, when they have finished.
  expect({ when, stderr, end: [code, signal] }).toMatchObject({ end: signal === null ? [0, null] : [null, "SIGKILL"] });
  return `${signal === null ? "done before " : ""}${when}`;
}

/** Including what killed runs have written. */
function isDescribed(nights: Nights): boolean {
  const { resources } = JSON.parse(nights.read(`${FILE}.datapackage.json`)) as { resources: [{ hash: string; rows: number }] };
  const rows = nights.read().trimEnd().split("\n").length - 1;
  return resources[0].hash === `sha256:${createHash("sha256").update(nights.read()).digest("hex")}` && resources[0].rows === rows;
}

/** Once, whenever a run died; the marks of answers are left out. */
function isLogged(nights: Nights, night: number): boolean {
  const day = new Date(START + (night - 3) * DAY).toISOString().slice(0, 10);
  const rows = dropMarks(nights.read(LOG)).split("\n");
  const changes = rows.filter((row) => row.includes(`,${day}T05:00:00+10:00,NEM,power,NSW1,`)).map((row) => row.split(",").slice(-2));
  return changes.filter(([old, now]) => old !== now).length === 1;
}
