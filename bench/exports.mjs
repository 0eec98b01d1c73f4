/** Measures exports: every other way against ents, in alternating pairs over the same responses. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { listContestants } from "./contestants.mjs";
import { alternate, hashOutput, measure, spread } from "./measure.mjs";

/**
 * @typedef {import("./measure.mjs").Sample} Sample
 * @typedef {import("./measure.mjs").Spread} Spread
 * @typedef {import("./work.mjs").Work} Work
 * @typedef {{ byHand: number, download: number, ndjson: number, columnar: number, file: number, slow: number, slowest: number }} Rounds
 * @typedef {{ name: string, wall: Spread, cpu: Spread, peak: Spread }} Way
 * @typedef {object} Comparison
 * @property {Work} work
 * @property {ReadonlyMap<string, Way>} ways
 * @property {(way: string) => Spread} ratio  wall time of ents / that of another way
 */

/**
 * Measures all ways with the same work.
 * @param {Work} work @param {Rounds} rounds @param {{ env: Record<string, string>, folder: string }} setting @returns {Promise<Comparison>}
 */
export async function compareExports(work, rounds, { env, folder }) {
  const file = join(folder, "export.csv");
  const contestants = listContestants(work, env, file);
  await requireSameOutput(contestants.ents, contestants.byHand);
  /** @type {[keyof typeof contestants, number][]} */
  const opponents = [
    ["byHand", rounds.byHand],
    ["download", rounds.download],
    ["packed", rounds.download],
    ["ndjson", rounds.ndjson],
    ["parquet", rounds.columnar],
    ["arrow", rounds.columnar],
    ["file", rounds.file],
    ["pivot", rounds.file],
    ["jq", rounds.slow],
    ["sdk", rounds.slowest],
  ];
  /** @type {Map<string, Sample[]>} */
  const samples = new Map();
  /** @type {Map<string, [Sample, Sample][]>} */
  const pairs = new Map();
  for (const [key, count] of opponents) {
    if (count === 0) continue;
    process.stderr.write(`${work.points.toLocaleString("en-US")} points: ${contestants[key].name}\n`);
    const take = (/** @type {keyof typeof contestants} */ one) => () => measure(contestants[one], folder);
    const taken = alternate([take("ents"), take(key)], { rounds: count, warmUp: key === "byHand" });
    pairs.set(key, taken);
    for (const [ents, other] of taken) {
      samples.set("ents", [...(samples.get("ents") ?? []), ents]);
      samples.set(key, [...(samples.get(key) ?? []), other]);
    }
    rmSync(file, { force: true });
  }
  const ways = new Map(
    [...samples].map(([key, list]) => [key, summarize(contestants[/** @type {"ents"} */ (key)].name, list)]),
  );
  return {
    work,
    ways,
    ratio: (/** @type {string} */ to) => spread((pairs.get(to) ?? []).map(([ents, other]) => ents.wall / other.wall)),
  };
}

/**
 * Fails if the outputs differ, since their times would not be comparable.
 * @param {import("./measure.mjs").Contestant} ents @param {import("./measure.mjs").Contestant} byHand
 */
async function requireSameOutput(ents, byHand) {
  if ((await hashOutput(ents)) !== (await hashOutput(byHand)))
    throw new Error("ents and the hand-written script write different CSV");
}

/** @param {string} name @param {readonly Sample[]} samples @returns {Way} */
export function summarize(name, samples) {
  const of = (/** @type {keyof Sample} */ field) => spread(samples.map((sample) => sample[field]));
  return { name, wall: of("wall"), cpu: of("cpu"), peak: of("peak") };
}
