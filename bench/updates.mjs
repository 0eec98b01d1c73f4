/** A night's update of a large file, alternating with the least that it takes: to hash the file, to copy it, and to wait for the disk. */
import { copyFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENTS } from "./contestants.mjs";
import { summarize } from "./exports.mjs";
import { alternate, measure, run, spread } from "./measure.mjs";
import { askLittle, askUpdate } from "./work.mjs";

/**
 * @typedef {import("./exports.mjs").Way} Way
 * @typedef {object} Updates
 * @property {number} bytes  of the file
 * @property {Way} update
 * @property {Way} baseline
 * @property {Way} little  one small request
 * @property {import("./measure.mjs").Spread} ratio  wall time of the update / that of the baseline
 * @property {import("./measure.mjs").Spread} memory  bytes of the update beyond those of one small request
 */

const COPY = fileURLToPath(new URL("copy-and-hash.mjs", import.meta.url));
const FILES = ["", ".datapackage.json"];

/**
 * @param {import("./work.mjs").Work} work  the rows that the file has
 * @param {number} rounds @param {{ env: Record<string, string>, folder: string, baseUrl: string }} setting @returns {Updates}
 */
export function measureUpdates(work, rounds, { env, folder, baseUrl }) {
  process.stderr.write("updates\n");
  const [old, file] = [join(folder, "old.csv"), join(folder, "updated.csv")];
  const ents = [process.execPath, ENTS];
  const restore = () => {
    for (const end of FILES) copyFileSync(old + end, file + end);
    run({ name: "sync", command: ["sync", file], env });
  };
  const take = (/** @type {string[]} */ command) => () => {
    restore();
    return measure({ name: command.join(" "), command, env }, folder);
  };
  run({ name: "the file", command: [...ents, ...work.args, "-o", old, "--datapackage"], env });
  const update = take([...ents, ...askUpdate(baseUrl), "-o", file, "--update"]);
  const pairs = alternate([update, take([process.execPath, COPY, file])], { rounds, warmUp: true });
  const little = Array.from({ length: rounds }, take([...ents, ...askLittle(baseUrl)]));
  const bytes = statSync(file).size;
  for (const end of FILES) for (const path of [old, file]) rmSync(path + end);
  const updates = pairs.map(([sample]) => sample);
  const small = spread(little.map(({ peak }) => peak)).median;
  return {
    bytes,
    update: summarize("**ents, `--update`**", updates),
    baseline: summarize(
      "**hashed, copied, synced and renamed: the baseline**",
      pairs.map(([, sample]) => sample),
    ),
    little: summarize("ents, one small request", little),
    ratio: spread(pairs.map(([one, other]) => one.wall / other.wall)),
    memory: spread(updates.map(({ peak }) => peak - small)),
  };
}
