/**
 * `node bench/executable.mjs <executable> <node>`: the size of an executable, and how long it takes to start beside
 * `bin/ents` on the Node that it contains.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENTS } from "./contestants.mjs";
import { alternate, cleanEnv, run, spread } from "./measure.mjs";

const ROUNDS = 21;
const REQUEST = ["market", "NEM", "-m", "price", "-i", "1h", "-s", "2025-01-01", "-e", "2025-01-02", "--sandbox", "-q"];
const LINES = [
  ["--version"],
  ["--help"],
  ["network", "--help"],
  [...REQUEST, "-f", "csv"],
  [...REQUEST, "-f", "table"],
];

const [executable = "", node = ""] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "ents-bench-"));
const env = { ...cleanEnv(folder), ENTS_CACHE_DIR: join(folder, "cache") };
console.log(`size: ${Math.round(statSync(executable).size / 2 ** 20)} MiB`);
console.log("| what | executable, ms | bin/ents, ms | ratio |\n| --- | --- | --- | --- |");
for (const args of LINES) {
  const contestant = (/** @type {string[]} */ command) => () =>
    run({ name: args.join(" "), command: [...command, ...args], env });
  const pairs = alternate([contestant([executable]), contestant([node, ENTS])], { rounds: ROUNDS, warmUp: true });
  const show = (/** @type {number[]} */ values, digits = 0) => spread(values).median.toFixed(digits);
  const milliseconds = [0, 1].map((side) => show(pairs.map((pair) => (pair[side] ?? 0) * 1000)));
  const ratio = show(
    pairs.map(([one, other]) => one / other),
    2,
  );
  console.log(`| \`ents ${args.join(" ")}\` | ${milliseconds.join(" | ")} | ${ratio} |`);
}
rmSync(folder, { recursive: true });
