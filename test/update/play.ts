/** Nights in which a file is updated and held against a whole new export. */
import { existsSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { createHistory, type History, restate } from "./histories.ts";
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

export async function expectSameEveryNight(seed: number): Promise<void> {
  const history = createHistory(seed);
  const { world, chance, scale, file } = history;
  const service = await startWorld(world);
  const place = { home: createHome(), url: service.url };
  const read = (name: string) => (existsSync(place.home.path(name)) ? readFileSync(place.home.path(name), "latin1") : undefined);
  const update = ["-o", file, "--update", "--revise", scale.revise];
  let lastNow = world.now;
  for (let night = 0; night < 5; night++) {
    const before = read(file);
    if (night > 0 && chance.oneIn(4)) {
      const { code } = await failOnce(history, { ...place, update });
      if (code !== 0 && read(file) !== before) throw new Error(`the failure of night ${night} of ${seed} changed the file`);
    }
    const done = await run(history, place, update);
    expect(done).toMatchObject({ code: 0, stdout: "" });
    const whole = await run(history, place, ["-o", `whole-${file}`, "--datapackage"]);
    expect(whole).toMatchObject({ code: 0, stdout: "" });
    if (read(file) !== read(`whole-${file}`)) throw new Error(`night ${night} of ${seed}: ${history.command.join(" ")}`);
    expect(describe(read(`${file}.datapackage.json`))).toEqual(describe(read(`whole-${file}.datapackage.json`)));
    lastNow = world.now;
    world.now += Math.floor(scale.bucket * (chance.oneIn(5) ? 60 : 6) * chance.random());
    restate(history, lastNow);
  }
  await service.close();
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

function describe(descriptor: string | undefined): unknown {
  const { resources, ents } = JSON.parse(descriptor ?? "{}") as {
    resources: [Record<string, unknown>];
    ents: { window: { start: string } };
  };
  const { path: _, ...file } = resources[0];
  return { ...file, start: ents.window.start };
}
