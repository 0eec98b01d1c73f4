/** A home with an output that is updated from a small service: hourly power of two regions. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { readBytes } from "../columnar/readers.ts";
import { readData } from "../dataset/datasets.ts";
import { DAY, HOUR, MINUTE } from "../../src/time/local-time.ts";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { readWorkbook } from "../e2e/read-xlsx.ts";
import type { ModelSeries, ServiceModel } from "../merge/fake-service.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import type { Answer, ScriptedService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { MODEL, SERIES, startWorld, subtract, type World } from "./world.ts";

/** Midnight in network time. */
export const START = Date.UTC(2026, 0, 1);
export const QUERY = "network NEM -m power -i 1h -s 2026-01-01 -g region --complete".split(" ");
export const FILE = "power.csv";

export const NO_DATA = refusal(404, "No data available for the given parameters");
export const SPENT = refusal(401, "Authentication failed");
export const DOWN = refusal(503, "down");

export interface Nights {
  readonly home: Home;
  readonly world: World;
  readonly service: ScriptedService;
  /** The folder of its stored responses. */
  readonly kept: string;
  /** Milliseconds by which the clock of ents is ahead of the service's. */
  skew: number;
  /** Moves on to this many days after the start, in network time. */
  readonly goTo: (days: number) => void;
  /** The last of repeated flags counts, also for -s. */
  readonly run: (...args: readonly string[]) => Promise<Run>;
  readonly runIn: (home: Home, args: readonly string[]) => Promise<Run>;
  readonly update: (...flags: readonly string[]) => Promise<Run>;
  /** An update this many days after the start, which must succeed. Returns the run and the number of its requests. */
  readonly night: (days: number, ...flags: readonly string[]) => Promise<Run & { readonly requests: number }>;
  readonly read: (name?: string) => string;
  /** The output, in a form that can be compared. */
  readonly readOwn: () => Promise<string>;
  /** What a complete new export has now. */
  readonly readWhole: (...flags: readonly string[]) => Promise<string>;
  /** From the next request on, counted from 0, changes some responses. */
  readonly fail: (answer: Answer, isSo?: (request: number, url: string) => boolean) => void;
  /** Undoes this. */
  readonly recover: () => void;
  /** Changes the series, or anything else about the service. */
  readonly change: (model: Partial<ServiceModel>) => void;
}

const DATA: ReadonlySet<string> = new Set(["network", "facilities", "market"]);

/** This many days after the start, as a number of steps. */
export const at = (days: number) => (START + days * DAY) / MINUTE;

type Days = readonly [from: number, until: number];

/** Present from ten days before the start on, except on some days. */
export function createSeries(region: string, ...holes: readonly Days[]): ModelSeries {
  const present = holes.reduce(
    (rest, [from, until]) => subtract(rest, [at(from), at(until)]),
    [[at(-10), at(3000)] as const],
  );
  return { ...SERIES, labels: { region }, present };
}

export const REGIONS: ModelSeries[] = ["NSW1", "VIC1"].map((region) => createSeries(region));

export interface Service extends Partial<Omit<ServiceModel, "series">>, Pick<World, "mark"> {
  /** The name of the output. */
  readonly file?: string;
  readonly query?: readonly string[];
  /** The day of the first update; 0 for none. */
  readonly first?: number;
}

/** Its first update is on day ten, so it has eleven days of data then. */
export async function createNights(
  flags: readonly string[] = [],
  series: readonly ModelSeries[] = REGIONS,
  { mark, file = FILE, query = QUERY, first = 10, ...model }: Service = {},
): Promise<Nights> {
  const world: World = {
    model: { ...MODEL, ...model, series },
    now: 0,
    play: () => undefined,
    ...(mark ? { mark } : {}),
  };
  const service = await startWorld(world);
  const home = createHome();
  const whole = file.replace(/^[^.]*/, "whole");
  const nights: Nights = {
    home,
    world,
    service,
    kept: home.path(/\.\w+$/.test(file) ? `${file}.ents` : `${file}/.ents`),
    skew: 0,
    goTo: (days) => {
      world.now = START + days * DAY - 10 * HOUR;
    },
    run: (...args) => nights.runIn(home, args),
    runIn: (place, args) => {
      const clock = { ...createVirtualClock(), now: () => Math.floor(world.now + nights.skew) };
      return place.run([...args, ...(DATA.has(args[0] ?? "") ? ["--rate", "1000"] : [])], {
        env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
        dispatcher: service.dispatcher,
        clock,
      });
    },
    update: (...more) => nights.run(...query, "-o", file, "--update", ...flags, ...more),
    night: async (days, ...more) => {
      nights.goTo(days);
      const before = service.requests.length;
      const run = await nights.update(...more);
      if (run.code !== 0) throw new Error(`night ${days} ended with ${run.code}: ${run.stderr}`);
      return { ...run, requests: service.requests.length - before };
    },
    read: (name = file) => readFileSync(home.path(name), "utf8"),
    readOwn: async () => (file === FILE ? nights.read() : readOutput(home.path(file))),
    readWhole: async (...more) => {
      rmSync(home.path(whole), { recursive: true, force: true });
      const run = await nights.run(
        ...query,
        "-o",
        whole,
        "--max-window",
        "none",
        ...dropFetchFlags([...flags, ...more]),
      );
      if (run.code !== 0) throw new Error(run.stderr);
      return file === FILE ? nights.read(whole) : readOutput(home.path(whole));
    },
    fail: (answer, isSo = () => true) => {
      const from = service.requests.length;
      world.play = (request, url) => (request >= from && isSo(request - from, url) ? answer : undefined);
    },
    recover: () => {
      world.play = () => undefined;
    },
    change: (changed) => {
      world.model = { ...world.model, ...changed };
    },
  };
  if (first > 0) await nights.night(first);
  nights.goTo(first + 1);
  return nights;
}

/** A change in the journal: timestamp, network, metric, labels, old value, new value. */
type Change = readonly [string, string, string, object, string | null, string | null];

interface JournalLine {
  readonly run: number;
  readonly at: number;
  readonly start: number;
  readonly asked: readonly (readonly [name: string, reason: string, outcome: string])[];
}

/** The finished runs; lines that are cut do not count. */
export function readJournal(folder: string): JournalLine[] {
  const path = `${folder}/journal.ndjson`;
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as JournalLine];
    } catch {
      return [];
    }
  });
}

/** The points that these runs have restated or withdrawn. */
export function readChanges(folder: string, runs = readJournal(folder)): Change[] {
  const paths = runs.map(({ run }) => `${folder}/changes.${run}.ndjson.gz`).filter((path) => existsSync(path));
  const lines = paths.flatMap((path) => gunzipSync(readFileSync(path)).toString().trimEnd().split("\n"));
  return lines.map((line) => JSON.parse(line) as Change);
}

/** The days of the segments that the last run asked for, with the reasons and what came of it: `1 recheck same`. */
export function readAsked(nights: Nights): string[] {
  const asked = readJournal(nights.kept).at(-1)?.asked ?? [];
  return asked.map(
    ([name, reason, outcome]) => `${(Date.parse(`${name.slice(0, 10)}Z`) - START) / DAY} ${reason} ${outcome}`,
  );
}

/** Expects the output to have the bytes of a new export. */
export async function expectWhole({ readOwn, readWhole }: Nights, ...flags: readonly string[]): Promise<void> {
  const [own, whole] = [await readOwn(), await readWhole(...flags)];
  expect(own === whole ? "" : describeDifference(own, whole)).toBe("");
}

export function describeDifference(own: string, whole: string): string {
  const [some, all] = [own, whole].map((text) => new Set(text.split("\n"))) as [Set<string>, Set<string>];
  const [more, less] = [[...some].filter((line) => !all.has(line)), [...all].filter((line) => !some.has(line))];
  const show = (lines: readonly string[]) =>
    `${lines.length}: ${[...lines.slice(0, 3), "…", ...lines.slice(-1)].join(" | ").slice(0, 400)}`;
  return `${show(more)} instead of ${show(less)}`;
}

/** The flags without those that only say how an update fetches. */
function dropFetchFlags(flags: readonly string[]): string[] {
  return flags.filter((_, index) => ![index, index - 1].some((place) => FETCH_FLAGS.includes(flags[place] ?? "")));
}

const FETCH_FLAGS = ["--max-window", "--concurrency", "--retries", "--revise", "--recheck"];

/** In a form that can be compared, without what differs by command. */
export async function readOutput(path: string): Promise<string> {
  if (/\.(?:parquet|arrow)$/.test(path))
    return JSON.stringify(await readBytes(path.endsWith("arrow") ? "arrow" : "parquet", readFileSync(path)));
  if (path.endsWith(".gz")) return gunzipSync(readFileSync(path)).toString("latin1");
  if (path.endsWith(".xlsx")) return JSON.stringify((await readWorkbook(path)).rows);
  if (path.endsWith(".html")) return readFileSync(path, "latin1").replaceAll(/ents network [^<"]*/g, "");
  if (/\.\w+$/.test(path)) return readFileSync(path, "latin1");
  return JSON.stringify(Object.entries(readData(path)).filter(([name]) => !/(?:^|\/)\./.test(name)));
}
