/** Nights in which a file is updated and held against a whole new export. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { createHistory, type History, may, restate } from "./histories.ts";
import { startWorld } from "./world.ts";

interface Place {
  readonly home: Home;
  readonly url: string;
  readonly signal?: AbortSignal;
}

export async function run({ world, command }: History, { home, url, signal }: Place, args: readonly string[]) {
  const clock = { ...createVirtualClock(), now: () => world.now };
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: url };
  return home.run([...command, "--rate", "1000", ...args], { env, clock, ...(signal ? { signal } : {}) });
}

/** How the file of some night differs from a whole new export; undefined where none does. */
export async function playHistory(seed: number): Promise<string | undefined> {
  const history = createHistory(seed);
  const { world, chance, scale, file } = history;
  const service = await startWorld(world);
  const place = { home: createHome(), url: service.url };
  const read = (name: string) => (existsSync(place.home.path(name)) ? readFileSync(place.home.path(name), "latin1") : undefined);
  const update = ["-o", file, "--update", "--revise", scale.revise];
  const tell = (what: string) => `seed ${seed}: ${what}: ${history.command.join(" ")}`;
  let problem: string | undefined;
  for (let night = 0; night < 5; night++) {
    let before = read(file);
    if (night > 0 && chance.oneIn(4)) {
      const { code } = await failOnce(history, { ...place, update });
      if (code !== 0 && read(file) !== before) problem ??= tell(`the failure of night ${night} changed the file`);
    }
    before = read(file);
    const isLost = night > 0 && tamper(history, place.home);
    const done = await run(history, place, update);
    if (isLost && isRefusal(done)) {
      if (process.env["DIFF"]) console.log("refused", done.stderr);
      if (read(file) !== before) problem ??= tell(`the refusal of night ${night} changed the file`);
      break;
    }
    const whole = await run(history, place, ["-o", `whole-${file}`, "--datapackage"]);
    for (const { code, stdout, stderr } of [done, whole]) if (code !== 0 || stdout !== "") problem ??= tell(`night ${night}: ${stderr}`);
    if (read(file) !== read(`whole-${file}`)) problem ??= tell(`night ${night}: other rows`);
    const [own, other] = [file, `whole-${file}`].map((name) => describe(read(`${name}.datapackage.json`)));
    if (own !== other) problem ??= tell(`night ${night}: described as ${own}, not ${other}`);
    if (problem !== undefined) break;
    const lastNow = world.now;
    world.now += Math.floor(scale.bucket * (chance.oneIn(5) ? 60 : 6) * chance.random());
    restate(history, lastNow);
  }
  await service.close();
  return problem;
}

/** Without a description, an update refuses what may be another query's file. */
function isRefusal({ code, stderr }: Run): boolean {
  return code === 2 && /which its (?:last )?rows|of another service or query|does not know the UTC offset/.test(stderr);
}

/** The description of the file may be lost, or of an earlier night. Whether it is lost. */
function tamper({ chance, command, file }: History, home: Home): boolean {
  if (!may("scan") || command.includes("--no-header") || !chance.oneIn(3)) return false;
  const path = home.path(`${file}.datapackage.json`);
  const isLost = chance.oneIn(2);
  const older = chance.oneIn(2) && existsSync(home.path("older.json")) ? readFileSync(home.path("older.json")) : undefined;
  copyFileSync(path, home.path("older.json"));
  if (isLost) rmSync(path);
  else if (older) writeFileSync(path, older);
  return isLost;
}

/** A run that the service's quota or a signal ends, unless it is done before. */
async function failOnce(history: History, { update, ...place }: Place & { readonly update: readonly string[] }) {
  const { world, chance } = history;
  const stop = new AbortController();
  const isQuota = chance.oneIn(2);
  const good = chance.below(2);
  let requests = 0;
  world.play = () => {
    if (requests++ < good) return undefined;
    if (isQuota) return refusal(401, "Authentication failed");
    stop.abort(new Error("stopped"));
    return { instead: "stall" };
  };
  const done = await run(history, { ...place, signal: stop.signal }, update);
  world.play = () => undefined;
  return done;
}

function describe(descriptor: string | undefined): string {
  const { resources, ents } = JSON.parse(descriptor ?? "{}") as {
    resources: [Record<string, unknown>];
    ents: { window: { start: string }; utc_offset?: string };
  };
  const { path: _, ...file } = resources[0];
  return JSON.stringify({ ...file, start: ents.window.start, offset: ents.utc_offset });
}
