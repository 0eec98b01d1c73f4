/**
 * Measures updates, alternating with an export of the same data: an update writes the output again from stored
 * responses.
 */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ENTS } from "./contestants.mjs";
import { summarize } from "./exports.mjs";
import { alternate, measure, run, spread } from "./measure.mjs";

/**
 * @typedef {import("./exports.mjs").Way} Way
 * @typedef {object} Updates
 * @property {number} bytes  of the file
 * @property {Way} update
 * @property {Way} baseline
 * @property {Way} dataset
 * @property {Way} datasetBaseline
 * @property {import("./measure.mjs").Spread} ratio  wall time of an update of the file / that of an export
 * @property {import("./measure.mjs").Spread} memory  peak of an update of the file / that of an export
 * @property {import("./measure.mjs").Spread} datasetRatio  wall time of an update of the dataset / that of an export of the same dataset
 */

/** @param {readonly string[]} args @param {number} days @returns {string[]} */
function moveEnd(args, days) {
  const end = args.indexOf("-e") + 1;
  const moved = new Date(Date.parse(`${args[end]}Z`) + days * 86_400_000).toISOString().slice(0, 19);
  return args.map((arg, index) => (index === end ? moved : arg));
}

/**
 * @param {import("./work.mjs").Work} work  the rows of the output
 * @param {number} rounds @param {{ env: Record<string, string>, folder: string }} setting @returns {Updates}
 */
export function measureUpdates(work, rounds, { env, folder }) {
  process.stderr.write("updates\n");
  const file = join(folder, "updated.csv");
  const whole = join(folder, "whole.csv");
  const [dataset, exported] = [join(folder, "dataset"), join(folder, "exported")];
  const ents = [process.execPath, ENTS];
  const take = (/** @type {readonly string[]} */ args) => {
    const command = [...ents, ...args];
    return measure({ name: command.join(" "), command, env }, folder);
  };
  const night = [...work.args, "-o", file, "--update"];
  let days = -2 * rounds;
  const byMonth = ["-f", "csv", "--partition", "month"];
  // Each update adds a day, so that the file of one month changes; all are made, and those that have not changed stay.
  const nightOfDataset = () => [...moveEnd(work.args, days++), "-o", dataset, ...byMonth, "--update"];
  const exportDataset = () => {
    rmSync(exported, { recursive: true, force: true });
    return take([...work.args, "-o", exported, ...byMonth]);
  };
  for (const first of [night, nightOfDataset()]) run({ name: "the first night", command: [...ents, ...first], env });
  const pairs = alternate([() => take(night), () => take([...work.args, "-o", whole])], { rounds, warmUp: true });
  const other = alternate([() => take(nightOfDataset()), exportDataset], { rounds, warmUp: true });
  const bytes = statSync(file).size;
  for (const path of [file, whole, dataset, exported])
    for (const end of ["", ".datapackage.json", ".ents"]) rmSync(path + end, { recursive: true, force: true });
  return {
    bytes,
    update: summarize(
      "**a night of a file**",
      pairs.map(([sample]) => sample),
    ),
    baseline: summarize(
      "an export of the same: the baseline",
      pairs.map(([, sample]) => sample),
    ),
    dataset: summarize(
      "**a night of a dataset, by month**",
      other.map(([sample]) => sample),
    ),
    datasetBaseline: summarize(
      "an export of the same dataset",
      other.map(([, sample]) => sample),
    ),
    ratio: spread(pairs.map(([one, base]) => one.wall / base.wall)),
    memory: spread(pairs.map(([one, base]) => one.peak / base.peak)),
    datasetRatio: spread(other.map(([one, base]) => one.wall / base.wall)),
  };
}
