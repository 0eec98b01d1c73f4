/** A home with a file that is updated from a small service: hourly power of two regions. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { DAY, HOUR, MINUTE } from "../../src/time/local-time.ts";
import { TOKEN } from "../e2e/envelopes.ts";
import type { ModelSeries, ServiceModel } from "../merge/fake-service.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import type { ScriptedService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { type DescribedRequest, expectAllOrigins } from "./origins.ts";
import { MODEL, SERIES, startWorld, type World } from "./world.ts";

/** Midnight of network time. */
export const START = Date.UTC(2026, 0, 1);
export const QUERY = "network NEM -m power -i 1h -s 2026-01-01 -g region --complete".split(" ");
export const FILE = "power.csv";

export interface Nights {
  readonly home: Home;
  readonly world: World;
  readonly service: ScriptedService;
  /** Goes on to so many days after the start, in network time. */
  goTo(days: number): void;
  /** The last flag given counts: `-s` too. */
  run(...args: readonly string[]): Promise<Run>;
  update(...flags: readonly string[]): Promise<Run>;
  read(name?: string): string;
  /** What a whole new export has now. */
  readWhole(...flags: readonly string[]): Promise<string>;
}

export const REGIONS: ModelSeries[] = ["NSW1", "VIC1"].map((region) => ({
  ...SERIES,
  labels: { region },
  present: [[(START - 10 * DAY) / MINUTE, (START + 3000 * DAY) / MINUTE]],
}));

/** Updated for the first time after ten days. */
export async function createNights(
  flags: readonly string[] = [],
  series: readonly ModelSeries[] = REGIONS,
  { fillsGaps = true, ...options }: Pick<World, "mark"> & Pick<ServiceModel, "fillsGaps"> = {},
): Promise<Nights> {
  const world: World = { model: { ...MODEL, fillsGaps, series }, now: 0, play: () => undefined, ...options };
  const service = await startWorld(world);
  const home = createHome();
  const nights: Nights = {
    home,
    world,
    service,
    goTo: (days) => {
      world.now = START + days * DAY - 10 * HOUR;
    },
    run: (...args) => {
      const clock = { ...createVirtualClock(), now: () => world.now };
      return home.run([...args, "--rate", "1000"], { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url }, clock });
    },
    update: (...more) => nights.run(...QUERY, "-o", FILE, "--update", ...flags, ...more),
    read: (name = FILE) => readFileSync(home.path(name), "utf8"),
    readWhole: async (...more) => {
      await nights.run(...QUERY, "-o", "whole.csv", ...flags, ...more);
      return nights.read("whole.csv");
    },
  };
  nights.goTo(10);
  if (series === REGIONS && fillsGaps && Object.values(options).every((option) => option === undefined)) await copyFirst(nights, flags);
  else await updateFirst(nights);
  nights.goTo(11);
  return nights;
}

async function updateFirst(nights: Nights): Promise<void> {
  const { code, stderr } = await nights.update();
  if (code !== 0) throw new Error(stderr);
}

interface First {
  readonly url: string;
  readonly files: readonly (readonly [name: string, text: string])[];
}

/** What the first update writes with these flags: a hundred tests begin with it. */
const firsts = new Map<string, Promise<First>>();

async function copyFirst(nights: Nights, flags: readonly string[]): Promise<void> {
  const { home, service } = nights;
  const key = flags.join(" ");
  const known = firsts.get(key);
  if (known !== undefined) {
    const { url, files } = await known;
    for (const [name, text] of files) writeFileSync(home.path(name), text.replaceAll(url, service.url));
    return;
  }
  const first = updateFirst(nights).then((): First => {
    const files = readdirSync(home.folder).map((name) => [name, readFileSync(home.path(name), "utf8")] as const);
    return { url: service.url, files };
  });
  firsts.set(key, first);
  await first;
}

/** All values of a file are from the answers that its description names for them. Returns the requests there. */
export function expectFileOrigins(nights: Nights, file = FILE): readonly DescribedRequest[] {
  const { ents } = JSON.parse(nights.read(`${file}.datapackage.json`)) as { ents: { requests: DescribedRequest[] } };
  expectAllOrigins(ents.requests, nights.read(file), nights.service);
  return ents.requests;
}
