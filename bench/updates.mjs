/**
 * Measures updates. Those of a file alternate with an export of the same data: an update writes the file again from
 * stored responses. Those of a dataset alternate with those of a dataset that has its newest files alone.
 */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ENTS } from "./contestants.mjs";
import { summarize } from "./exports.mjs";
import { WINDOW_DAYS } from "./work.mjs";
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
 * @property {import("./measure.mjs").Spread} datasetRatio  wall time of an update of the dataset / that of one of its newest files alone
 */

/** @param {readonly string[]} args @param {number} days @returns {string[]} */
function moveEnd(args, days) {
  return replace(args, "-e", addDays(args[args.indexOf("-e") + 1], days));
}

/** @param {readonly string[]} args @returns {string[]} */
function startInNewest(args) {
  return replace(args, "-s", addDays(args[args.indexOf("-e") + 1], -WINDOW_DAYS));
}

/** @param {readonly string[]} args @param {string} flag @param {string} value */
function replace(args, flag, value) {
  const place = args.indexOf(flag) + 1;
  return args.map((arg, index) => (index === place ? value : arg));
}

/** @param {string | undefined} time @param {number} days */
function addDays(time, days) {
  return new Date(Date.parse(`${time}Z`) + days * 86_400_000).toISOString().slice(0, 19);
}

/**
 * @param {import("./work.mjs").Work} work  the rows of the output
 * @param {number} rounds @param {{ env: Record<string, string>, folder: string }} setting @returns {Updates}
 */
export function measureUpdates(work, rounds, { env, folder }) {
  process.stderr.write("updates\n");
  const file = join(folder, "updated.csv");
  const whole = join(folder, "whole.csv");
  const [dataset, newest] = [join(folder, "dataset"), join(folder, "newest")];
  const ents = [process.execPath, ENTS];
  const take = (/** @type {readonly string[]} */ args) => {
    const command = [...ents, ...args];
    return measure({ name: command.join(" "), command, env }, folder);
  };
  const night = [...work.args, "-o", file, "--update"];
  const days = new Map([dataset, newest].map((output) => [output, -2 * rounds]));
  // Each update adds a day, so that the file of one month changes.
  const nightOf = (/** @type {string} */ output, args = work.args) => {
    const day = days.get(output) ?? 0;
    days.set(output, day + 1);
    return [...moveEnd(args, day), "-o", output, "-f", "csv", "--partition", "month", "--update"];
  };
  const nightOfNewest = () => nightOf(newest, startInNewest(work.args));
  for (const first of [night, nightOf(dataset), nightOfNewest()])
    run({ name: "the first night", command: [...ents, ...first], env });
  const pairs = alternate([() => take(night), () => take([...work.args, "-o", whole])], { rounds, warmUp: true });
  const other = alternate([() => take(nightOf(dataset)), () => take(nightOfNewest())], { rounds, warmUp: true });
  const bytes = statSync(file).size;
  for (const path of [file, whole, dataset, newest])
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
      "a night of its newest files alone",
      other.map(([, sample]) => sample),
    ),
    ratio: spread(pairs.map(([one, base]) => one.wall / base.wall)),
    memory: spread(pairs.map(([one, base]) => one.peak / base.peak)),
    datasetRatio: spread(other.map(([one, base]) => one.wall / base.wall)),
  };
}
