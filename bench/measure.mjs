/** Runs processes one at a time, in alternating pairs, and measures their wall time, processor time and peak memory. */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";

/** GNU time, since Node does not report the peak memory of child processes. */
const TIME = "/usr/bin/time";

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {readonly string[]} command
 * @property {Readonly<Record<string, string>>} env  the complete environment
 *
 * @typedef {object} Sample
 * @property {number} wall  seconds
 * @property {number} cpu   seconds, user and system
 * @property {number} peak  bytes resident, of the largest of its processes
 *
 * @typedef {{ median: number, min: number, max: number, runs: number }} Spread
 */

export function requireTime() {
  if (existsSync(TIME)) return;
  throw new Error(`${TIME} is not there: the benchmark needs GNU time (the package "time" of Debian and others)`);
}

/** The environment of every contestant; only PATH is the caller's. @param {string} folder @returns {Record<string, string>} */
export function cleanEnv(folder) {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    ENTS_CONFIG_DIR: join(folder, "config"),
    TZ: "UTC",
    LANG: "C.UTF-8",
  };
}

/** Runs a contestant once and discards its output. @param {Contestant} contestant @param {string} folder @returns {Sample} */
export function measure(contestant, folder) {
  const report = join(folder, "time");
  const command = [TIME, "--quiet", "--format=%U %S %M", `--output=${report}`, ...contestant.command];
  const wall = run({ ...contestant, command });
  const [user = 0, system = 0, kilobytes = 0] = readFileSync(report, "utf8").split(" ").map(Number);
  return { wall, cpu: user + system, peak: kilobytes * 1024 };
}

/** Wall time of one run, in seconds. Without GNU time, since runs may only take milliseconds. @param {Contestant} contestant */
export function run({ name, command: [file = "", ...args], env }) {
  const sink = openSync(devNull, "w");
  const started = process.hrtime.bigint();
  const { status, stderr, error } = spawnSync(file, args, { env, stdio: ["ignore", sink, "pipe"] });
  const wall = Number(process.hrtime.bigint() - started) / 1e9;
  closeSync(sink);
  if (status !== 0) throw new Error(`${name} failed (${status}): ${error?.message ?? stderr}`);
  return wall;
}

/**
 * Runs two functions alternately, each first equally often. With `warmUp`, first runs each of them once without
 * counting it.
 * @template T @param {readonly [() => T, () => T]} both @param {{ rounds: number, warmUp: boolean }} setting @returns {[T, T][]}
 */
export function alternate([first, second], { rounds, warmUp }) {
  if (warmUp) {
    first();
    second();
  }
  return Array.from({ length: rounds }, (_, round) => {
    if (round % 2 === 0) return [first(), second()];
    const later = second();
    return [first(), later];
  });
}

/** @param {readonly number[]} values @returns {Spread} */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return { median, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0, runs: sorted.length };
}

/** A digest of the contestant's standard output. @param {Contestant} contestant @returns {Promise<string>} */
export async function hashOutput({ name, command: [file = "", ...args], env }) {
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => {
    child.on("close", resolve);
  });
  const hash = createHash("sha256");
  for await (const chunk of child.stdout) hash.update(chunk);
  const code = await ended;
  if (code !== 0) throw new Error(`${name} failed (${code})`);
  return hash.digest("hex");
}
