/** Plays the nights of a history, and checks what an update leaves after each. */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { findNetwork } from "../../src/base/vocabulary.ts";
import { DAY, formatLocalTime, HOUR, MINUTE } from "../../src/time/local-time.ts";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { type FileCall, watchFileCalls } from "../files/file-calls.ts";
import { intervalAround } from "../merge/model-intervals.ts";
import { offsetMs } from "../merge/fake-service.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import type { Answer, ScriptedService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { createHistory, type History, restate } from "./histories.ts";
import { describeDifference, readChanges, readJournal, readOutput } from "./nights.ts";
import { startWorld } from "./world.ts";

/** The values of an output, by what its row has beside the value. */
type Values = ReadonlyMap<string, string>;

interface Night {
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** What the service has. */
  readonly service: Values;
}

interface Game {
  readonly history: History;
  readonly home: Home;
  readonly service: ScriptedService;
  readonly seed: number;
  /** The window's start and, if it has one, end, in network time. */
  window: { start: number; end: number | undefined };
  readonly nights: Night[];
  /**
   * The output after the last night on which it was written, the end of its window, and that of its intervals that were
   * over.
   */
  output: { readonly values: Values; readonly end: number | undefined; readonly settled: number } | undefined;
  /** The number of finished runs then. */
  runs: number;
  /** How far the clock of ents is ahead of the service's. */
  skew: number;
  /** Whether a response was lost since, or the journal. */
  lost: boolean;
  /** The service has nothing before this time, and takes no longer windows. */
  forgotten: number;
  longest: number;
  /** Whether it names another unit than at first, and writes timestamps without seconds. */
  turned: boolean;
  short: boolean;
  /** The number of units that are named, and of metrics. */
  units: number;
  metrics: number;
  /** The output after each run. */
  readonly written: Map<number, { readonly at: number; readonly bytes: string }>;
  /** Whether a response or the journal was ever lost. */
  hasLost: boolean;
}

let onCall: ((call: FileCall) => void) | undefined;
await watchFileCalls((call) => onCall?.(call));

/** Returns how the output differs from a new export in the end; an empty string if it does not. */
export async function playHistory(seed: number): Promise<string> {
  const history = createHistory(seed);
  const { world, chance, scale, start } = history;
  const service = await startWorld(world);
  const game: Game = {
    history,
    home: createHome(),
    service,
    seed,
    window: { start, end: undefined },
    nights: [],
    output: undefined,
    runs: 0,
    skew: 0,
    lost: false,
    forgotten: 0,
    longest: Number.POSITIVE_INFINITY,
    turned: false,
    short: false,
    units: 2,
    metrics: history.growsMetrics ? 1 : history.metrics.length,
    written: new Map(),
    hasLost: false,
  };
  world.mark = (text) => {
    const turned = game.turned ? text.replaceAll(/(?<="unit":")/g, "k") : text;
    return game.short ? turned.replaceAll(/(?<=T\d\d:\d\d):00(?=[Z+-])/g, "") : turned;
  };
  for (let number = 0; number < 6; number++) {
    if (chance.oneIn(3)) moveWindow(game);
    game.skew = chance.oneIn(4)
      ? (chance.random() * 50 - 25) * MINUTE
      : chance.oneIn(8)
        ? chance.pick([-5 * HOUR, 20 * scale.bucket])
        : 0;
    if (chance.oneIn(4)) game.units++;
    if (number === 3) game.metrics = history.metrics.length;
    await readNight(game);
    for (let failures = chance.below(3); failures > 0; failures--) await failOnce(game);
    if (chance.oneIn(4)) loseSomething(game);
    if (chance.oneIn(5)) game.forgotten = chance.oneIn(2) ? 0 : start + chance.below(6) * scale.bucket;
    if (chance.oneIn(5) && scale.cut) game.longest = chance.pick([3, 6, 30]) * Math.max(DAY, scale.bucket);
    if (chance.oneIn(8)) game.turned = !game.turned;
    if (chance.oneIn(8)) game.short = !game.short;
    await playNight(game, chance.oneIn(4) ? ["--recheck", "all"] : []);
    world.now += Math.floor(scale.bucket * (chance.oneIn(5) ? 60 : 6) * chance.random());
    restate(history);
  }
  const difference = await findDifference(game);
  await service.close();
  await checkPast(game);
  return difference;
}

/** What the service has tonight, from the first start on that an update may have by then. */
async function readNight(game: Game): Promise<void> {
  game.nights.push({ now: game.history.world.now + game.skew, service: await readService(game) });
}

/** The start goes back, or on; there is an end, or none. */
function moveWindow({ history: { world, chance, scale, start }, window }: Game): void {
  const [first] = intervalAround(world.model.interval, start - chance.below(20) * scale.bucket);
  window.start = chance.oneIn(2) ? start : world.model.interval === "season" ? start : first;
  const [end] = intervalAround(world.model.interval, world.now - chance.below(8) * scale.bucket);
  window.end = chance.oneIn(2) || end <= start + 2 * scale.bucket ? undefined : end;
  if (world.model.interval === "season") window.end = undefined;
}

/** One update, and what must be so after it. */
async function playNight(game: Game, flags: readonly string[]): Promise<Run> {
  const before = readBytes(game);
  const done = await update(game, flags);
  const told = describe(game, done);
  // Everything in a segment is gone, or what was lost is no longer there, or it has another unit: the user decides.
  if (done.code !== 0) {
    const says =
      done.code === 4
        ? /too far in the past/
        : /--overwrite|older responses? (?:is|are) still as before|start a new output|choose another folder/;
    expect({ told, isKnown: says.test(done.stderr) }).toEqual({ told, isKnown: true });
    expect({ told, isSame: readBytes(game) === before }).toEqual({ told, isSame: true });
    if (done.code === 4 || /as before|another folder/.test(done.stderr) || game.history.chance.oneIn(2)) return done;
    const accepted = await update(game, ["--overwrite"]);
    const now = `${told}; ${accepted.code}: ${accepted.stderr}`;
    expect({ now, isKnown: [0, 4].includes(accepted.code ?? -1) || accepted.stderr.includes("as before") }).toEqual({
      now,
      isKnown: true,
    });
    if (accepted.code === 0) note(game);
    return accepted;
  }
  expect({ told, code: done.code, stdout: done.stdout }).toEqual({ told, code: 0, stdout: "" });
  checkNight(game, told);
  note(game);
  return done;
}

function describe({ seed, nights, history }: Game, { stderr }: Run): string {
  return `night ${nights.length} of ${seed}: ${history.query.join(" ")}: ${stderr}`;
}

function note(game: Game): void {
  const { model, now } = game.history.world;
  const values = readValues(game.home, game.history.output);
  const newest = Array.from(values.keys(), (key) => localOf(key, game)).reduce(
    (most, local) => Math.max(most, local),
    0,
  );
  // Seasons may be known to be whole in whole years alone.
  const rules = model.interval === "season" ? (["season", "1y"] as const) : [model.interval];
  const starts = rules.map((rule) => intervalAround(rule, Math.max(now + game.skew + offsetMs(model), newest))[0]);
  game.output = { values, end: game.window.end, settled: Math.min(...starts) };
  const runs = readJournal(findFolder(game));
  game.runs = runs.length;
  game.lost = false;
  const last = runs.at(-1);
  if (last) game.written.set(last.run, { at: last.at, bytes: readBytes(game) });
}

/** Without the service, each run's output can be made again, unless what is stored of it was lost. */
async function checkPast(game: Game): Promise<void> {
  const { history, home, written, hasLost } = game;
  const { output } = history;
  const runs = readJournal(findFolder(game));
  const secondOf = (at: number) => Math.floor(at / 1000);
  // The number of a run that is lost with its folder may come again.
  for (const [number, { at, bytes }] of written) {
    if (runs.findLast((one) => secondOf(one.at) <= secondOf(at))?.run !== number) continue;
    const name = output.includes(".") ? `past.${output}` : "past";
    rmSync(home.path(name), { recursive: true, force: true });
    const asOf = new Date(at).toISOString().slice(0, "2025-01-31T14:05:00".length);
    const { plain } = history;
    const done = await home.run(["show", output, "--as-of", `${asOf}Z`, "-o", name, ...plain]);
    const told = `${describe(game, done)} as of ${asOf}`;
    if (hasLost && [2, 6].includes(done.code ?? 0)) continue;
    expect({ told, code: done.code }).toEqual({ told, code: 0 });
    const past = readBytes({ ...game, history: { ...history, output: name } }).replaceAll(name, output);
    expect({ told, isSame: past === bytes }).toEqual({ told, isSame: true });
  }
}

/**
 * Values are the service's, or those of before; none is gone that it did not lack twice; the journal has what has
 * changed.
 */
function checkNight(game: Game, told: string): void {
  const { nights, output, home } = game;
  const now = readValues(home, game.history.output);
  // Units of a metric are never mixed.
  const units = [...new Set(readBytes(game).match(/metric\\":\\"\w+\\",\\"unit\\":\\"\w+/g))];
  const metrics = [...new Set(units.map((unit) => unit.slice(0, unit.indexOf(","))))];
  expect({ told, units, count: units.length }).toEqual({ told, units, count: metrics.length });
  const { service } = nights.at(-1) as Night;
  const until = Math.min(
    output?.end ?? Number.POSITIVE_INFINITY,
    game.window.end ?? Number.POSITIVE_INFINITY,
    output?.settled ?? Number.POSITIVE_INFINITY,
  );
  const before = [...(output?.values ?? [])].filter(([key]) => localOf(key, game) < until);
  const old = new Map(before);
  const odd = [...now].filter(([key, value]) => value !== service.get(key) && value !== output?.values.get(key));
  // A value that was beyond the end of the window before may be one of that time.
  const unknown = odd.filter(
    ([key]) => localOf(key, game) < until && !nights.some((night) => night.service.get(key) === now.get(key)),
  );
  expect({ told, unknown: unknown.slice(0, 3) }).toEqual({ told, unknown: [] });
  const gone = before.filter(([key]) => !now.has(key));
  const { now: time } = nights.at(-1) as Night;
  const lacked = (key: string) => nights.filter((night) => !night.service.has(key)).map((night) => night.now);
  // Of what is lost, only the number is known; not even that with another end, or if the output is gone with its
  // journal.
  if (game.lost && (told.includes(": new, ") || output?.end !== game.window.end)) return;
  if (game.lost) {
    const withdrawn = foldChanges(game).filter(([, , is]) => is === null).length;
    expect({ told, isLess: now.size < old.size - withdrawn }).toEqual({ told, isLess: false });
    return;
  }
  const early = gone.filter(
    ([key]) => !lacked(key).includes(time) || !lacked(key).some((earlier) => time - earlier >= 4 * HOUR),
  );
  expect({ told, early: early.slice(0, 3) }).toEqual({ told, early: [] });
  const logged = foldChanges(game);
  const changed = before.filter(([key, value]) => now.get(key) !== value);
  const expected = changed.map(([key, value]) => [toChange(key), value, now.get(key) ?? null]);
  const known = new Map(logged.map(([key, was, is]) => [key, [was, is]]));
  const missing = expected.filter(
    ([key, was, is]) => JSON.stringify(known.get(key as string)) !== JSON.stringify([was, is]),
  );
  expect({ told, missing: missing.slice(0, 3) }).toEqual({ told, missing: [] });
  const wrong = logged.filter(
    ([key, was, is]) =>
      isInside(key, old) && !expected.some((one) => JSON.stringify(one) === JSON.stringify([key, was, is])),
  );
  expect({ told, wrong: wrong.slice(0, 3) }).toEqual({ told, wrong: [] });
}

function isInside(change: string, old: Values): boolean {
  for (const key of old.keys()) if (toChange(key) === change) return true;
  return false;
}

function localOf(key: string, { history }: Game): number {
  const timestamp = (JSON.parse(key) as { timestamp: string }).timestamp;
  return Date.parse(timestamp) + offsetMs(history.world.model);
}

/** The key of a change: instant, metric and labels. */
function toChange(key: string): string {
  const { timestamp = "", metric, ...row } = JSON.parse(key) as Record<string, string>;
  const labels = Object.fromEntries(Object.entries(row).filter(([name]) => name !== "network"));
  return JSON.stringify([Date.parse(timestamp), metric, listLabels(labels)]);
}

function listLabels(labels: object): unknown[] {
  return Object.entries(labels)
    .filter(([, label]) => label !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The folder of its stored responses. */
function findFolder({ home, history: { output } }: Game): string {
  return home.path(output.includes(".") ? `${output}.ents` : `${output}/.ents`);
}

/** What the journal has since the last night on which the output was written. */
function foldChanges(game: Game): [key: string, old: string | null, now: string | null][] {
  const folder = findFolder(game);
  const all = readChanges(folder, readJournal(folder).slice(game.runs));
  const folded = new Map<string, [string | null, string | null]>();
  for (const [timestamp, , metric, labels, old, now] of all) {
    const key = JSON.stringify([Date.parse(timestamp), metric, listLabels(labels)]);
    folded.set(key, [folded.has(key) ? (folded.get(key)?.[0] ?? null) : old, now]);
  }
  return [...folded].filter(([, [old, now]]) => old !== now).map(([key, [old, now]]) => [key, old, now]);
}

/** The service refuses windows that begin too early, and those that are too long. */
function refuse({ history: { world }, forgotten, longest }: Game, url: string): Answer | undefined {
  const search = new URL(url, "http://localhost").searchParams;
  const read = (name: string) => (search.has(name) ? Date.parse(`${search.get(name)}Z`) : undefined);
  const { date_start: start = 0, date_end: end = world.now + offsetMs(world.model) } = {
    date_start: read("date_start"),
    date_end: read("date_end"),
  };
  if (start < forgotten)
    return refusal(400, "Date start is too far in the past. Your plan allows data from the last 10 days.");
  if (end - start <= longest) return undefined;
  return refusal(
    400,
    `Date range too large for ${world.model.interval} interval. Maximum range is ${longest / HOUR} hours.`,
  );
}

async function update(game: Game, flags: readonly string[], signal?: AbortSignal): Promise<Run> {
  const { world } = game.history;
  const { play } = world;
  const first = Math.min(firstStart(game), game.window.start);
  world.play = (request, url) => play(request, url) ?? refuse(game, url);
  const done = await runUpdate(game, flags, signal);
  const call = onCall;
  [world.play, onCall] = [() => undefined, undefined];
  // The start of seasons moves to that of a year.
  if (firstStart(game) < first) await readNight(game);
  [world.play, onCall] = [play, call];
  return done;
}

async function runUpdate(game: Game, flags: readonly string[], signal?: AbortSignal): Promise<Run> {
  return run(
    game,
    [
      ...listDates(game),
      "-o",
      game.history.output,
      ...(flags.includes("-f") ? [] : game.history.plain),
      "--update",
      "--history",
      ...flags,
    ],
    signal,
  );
}

/** Of the network, whatever the zone of the output. */
function listDates({ window: { start, end }, history: { world } }: Game): string[] {
  const { network, offset } = world.model;
  const print = (at: number) => formatLocalTime(at) + (findNetwork(network) ? offset : "");
  return ["-s", print(start), ...(end === undefined ? [] : ["-e", print(end - 1000)])];
}

async function run(
  { history: { world, query, units, metrics }, home, service, seed, skew, ...counts }: Game,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<Run> {
  const clock = { ...createVirtualClock(), now: () => Math.floor(world.now + skew) };
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  const codes = units.length === 0 ? [] : ["--unit-code", ...units.slice(0, counts.units)];
  // Every fifth history is one of real connections.
  const dispatcher = seed % 5 === 0 ? undefined : service.dispatcher;
  const asked = ["-m", ...metrics.slice(0, counts.metrics)];
  return home.run([...query, ...asked, ...codes, "--rate", "1000", ...args], {
    env,
    clock,
    dispatcher,
    ...(signal ? { signal } : {}),
  });
}

/** What a new export has, from the first start that there was. */
async function readService(game: Game): Promise<Values> {
  const { home } = game;
  const whole = "whole.ndjson";
  rmSync(home.path(whole), { force: true });
  const done = await exportWhole(game, whole, []);
  expect({ told: describe(game, done), code: done.code }).toEqual({ told: describe(game, done), code: 0 });
  return existsSync(home.path(whole)) ? readValues(home, whole) : new Map();
}

function exportWhole(game: Game, name: string, form: readonly string[]): Promise<Run> {
  const { history, home, service } = game;
  const query = history.query.filter(
    (_, index) => ![index, index - 1].some((at) => ["--max-window", "--revise"].includes(history.query[at] ?? "")),
  );
  const first = Math.min(game.window.start, history.start, firstStart(game));
  const plain = { ...game, history: { ...history, query }, window: { ...game.window, start: first } };
  return run({ ...plain, home, service }, [...listDates(plain), "-o", name, "--max-window", "none", ...form]);
}

function firstStart(game: Game): number {
  return readJournal(findFolder(game)).at(-1)?.start ?? Number.POSITIVE_INFINITY;
}

function readValues(home: Home, name: string): Values {
  const counts = new Map<string, number>();
  const files = name.includes(".") ? [name] : listData(home, name);
  const rows = files.flatMap((file) => readFileSync(home.path(file), "utf8").split("\n").slice(0, -1));
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const value = /"value":([^,}]+)/.exec(row)?.[1] ?? "null";
      // The unit may change. Labels that a series lacks are null, once another has them.
      const key = row
        .replace(/,?"value":[^,}]+/, "")
        .replace(/,?"unit":"\w+"/, "")
        // Some timestamps have no seconds.
        .replace(/(?<=T\d\d:\d\d)(?=[Z+-])/, ":00")
        .replaceAll(/,"\w+":null/g, "");
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return value === "null" ? [] : [[key, value]];
    }),
  );
}

function listData(home: Home, name: string): string[] {
  const files = existsSync(home.path(name)) ? readdirSync(home.path(name), { recursive: true, encoding: "utf8" }) : [];
  return files
    .filter((file) => /^[^.]*data\.\w+$/.test(file))
    .sort()
    .map((file) => `${name}/${file}`);
}

function readBytes({ home, history: { output } }: Game): string {
  const files = output.includes(".") ? [output].filter((name) => existsSync(home.path(name))) : listData(home, output);
  return JSON.stringify(files.map((name) => [name, readFileSync(home.path(name), "latin1")]));
}

/** What may end a run before it is done. */
const FAILURES = ["quota", "signal", "fault", "power cut"] as const;
/** File calls of an update; some fail late or not at all. */
const CALLS = 60;

async function failOnce(game: Game): Promise<void> {
  const { history, home } = game;
  const { world, chance } = history;
  const how = chance.pick(FAILURES);
  const stop = new AbortController();
  const good = chance.below(3);
  let requests = 0;
  world.play = () => {
    if ((how !== "quota" && how !== "signal") || requests++ < good) return undefined;
    if (how === "quota") return refusal(401, "Authentication failed");
    stop.abort(new Error("stopped"));
    return { instead: "stall" };
  };
  let calls = chance.below(CALLS);
  onCall = ({ path }) => {
    if ((how !== "fault" && how !== "power cut") || !path.startsWith(home.folder) || calls-- > 0) return;
    // After a power cut, nothing is cleaned up.
    if (how === "power cut" || calls === -1) throw Object.assign(new Error("i/o error"), { code: "EIO" });
  };
  const done = await update(game, chance.oneIn(3) ? ["--recheck", "all"] : [], stop.signal);
  world.play = () => undefined;
  onCall = undefined;
  expect({ told: describe(game, done), isKnown: [0, 1, 2, 3, 4, 5, 6].includes(done.code ?? -1) }).toMatchObject({
    isKnown: true,
  });
  // What a broken disk cannot read counts as lost.
  game.lost ||= how === "fault" || how === "power cut";
  game.hasLost ||= game.lost;
  if (done.code === 0 && how !== "power cut") checkNight(game, describe(game, done));
  if (done.code === 0) note(game);
}

function listResponses(game: Game): string[] {
  const folder = findFolder(game);
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json.gz")) : [];
}

/** The file or its description is edited or removed, a response is lost, or the journal is cut. */
function loseSomething(game: Game): void {
  const { chance } = game.history;
  const { home } = game;
  const { output } = game.history;
  const [folder, answers] = [findFolder(game), listResponses(game)];
  const data = output.includes(".")
    ? [output, `${output}.datapackage.json`]
    : [`${output}/_datapackage.json`, ...listData(home, output)];
  const kept = ["journal.ndjson", ...answers.slice(0, 3)].map((name) => `${folder}/${name}`);
  const lost = chance.pick([...data.slice(0, 2).map((name) => home.path(name)), ...kept, folder]);
  const path = lost;
  if (path === undefined || !existsSync(path)) return;
  game.lost ||= lost.startsWith(folder);
  game.hasLost ||= game.lost;
  if (/gz$|ndjson$/.test(lost) && lost.startsWith(folder) && chance.oneIn(2)) truncateSync(path, 200);
  else if (lost === folder || chance.oneIn(2)) rmSync(path, { recursive: true });
  else writeFileSync(path, "mine");
}

/** Nights in a row that may fail before their message is followed. */
const PATIENCE = 10;

/** Nights without mischief. The same failure may not come every night, unless following what it says ends it. */
async function endFailures(game: Game, flags: readonly string[]): Promise<void> {
  let done = await nextNight(game, flags);
  for (let failed = 0; done.code !== 0 && failed < PATIENCE; failed++) done = await nextNight(game, flags);
  for (let followed = 0; done.code !== 0; followed++) {
    const told = describe(game, done);
    expect({ told, followed: followed < 2 }).toEqual({ told, followed: true });
    done = await follow(game, done);
  }
}

function nextNight(game: Game, flags: readonly string[]): Promise<Run> {
  game.history.world.now += DAY;
  return update(game, flags);
}

/** Does what a message says. */
function follow(game: Game, { stderr }: Run): Promise<Run> {
  if (/start a new output|choose another folder/.test(stderr)) {
    const { home, history } = game;
    for (const path of [findFolder(game), home.path(history.output), home.path(`${history.output}.datapackage.json`)])
      rmSync(path, { recursive: true, force: true });
    return nextNight(game, []);
  }
  return nextNight(game, [/--recheck all/.exec(stderr)?.[0].split(" ") ?? [], /--overwrite/.exec(stderr) ?? []].flat());
}

/** Rechecks of a good night. */
const RECHECKS = 12;

/**
 * After as many good nights as it takes to recheck every segment, and two more, the output is a new export, in any form.
 * Returns the difference.
 */
async function findDifference(game: Game): Promise<string> {
  const { history, home } = game;
  const { world, form } = history;
  Object.assign(game, { skew: 0, forgotten: 0, longest: Number.POSITIVE_INFINITY });
  game.window.end = undefined;
  await endFailures(game, []);
  // What was out of reach is within it now, under the same plan.
  const asked = readJournal(findFolder(game)).flatMap((one) => one.asked);
  if (asked.some(([, , outcome]) => outcome === "out of reach")) await endFailures(game, ["--recheck", "all"]);
  for (let good = 0; good < Math.ceil(listResponses(game).length / RECHECKS) + 2; good++) {
    world.now += 7 * HOUR;
    await endFailures(game, ["--recheck", String(RECHECKS)]);
  }
  const { output } = history;
  const [own, whole] = output.includes(".") ? [`own.${form[1]}`, `whole.${form[1]}`] : [output, "whole"];
  rmSync(home.path(whole), { recursive: true, force: true });
  const [made, other] = [await update(game, form), await exportWhole(game, whole, form)];
  const told = `${describe(game, made)}; ${form.join(" ")}; ${other.stderr}`;
  expect({ told, codes: [made.code, other.code] }).toEqual({ told, codes: [0, 0] });
  if ([made, other].some(({ stderr }) => stderr.includes("rows without a value may be missing"))) return "";
  // The service has nothing any more.
  if (!existsSync(home.path(whole))) return readBytes(game) === "[]" ? "" : told;
  if (output.includes(".")) copyFileSync(home.path(output), home.path(own));
  // When responses were made, and whether series have dates of their own, not every response shows.
  const read = async (name: string) =>
    (await readOutput(home.path(name))).replaceAll(/"(?:created_at|date_start|date_end)": "[^"]*"/g, "");
  const [one, two] = [await read(own), await read(whole)];
  return one === two ? "" : `${told}: ${describeDifference(one, two)}`;
}
