/** Measures how long ents takes to start: each command line alternates with a bare `node -e 0`, or ten lines of code. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENTS } from "./contestants.mjs";
import { storeCodes } from "./stored-codes.mjs";
import { alternate, run, spread } from "./measure.mjs";
import { askLittle } from "./work.mjs";

/** @typedef {{ what: string, other: string, version: string, limit: number, bare: import("./measure.mjs").Spread, wall: import("./measure.mjs").Spread, ratio: import("./measure.mjs").Spread }} StartUp */

/** @param {string} node binary @param {number} rounds @param {{ env: Record<string, string>, folder: string, baseUrl: string }} setting @returns {StartUp[]} */
export function measureStartUps(node, rounds, { env: { ENTS_TOKEN, ...env }, folder, baseUrl }) {
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
  const stored = storeToken(join(folder, "stored"), { baseUrl, token: ENTS_TOKEN ?? "" });
  const withCodes = { ...env, ENTS_CACHE_DIR: join(folder, "codes") };
  storeCodes(withCodes.ENTS_CACHE_DIR);
  const little = askLittle(baseUrl);
  const isNew = Number.parseInt(version.slice(1), 10) >= 22;
  const token = { ...env, ENTS_TOKEN: ENTS_TOKEN ?? "" };
  const bare = { name: "bare node", command: [node, "-e", "0"], env };
  const sdk = { name: "the official SDK", command: [node, pathOf("ten-lines-sdk.mjs"), baseUrl], env: token };
  const byFetch = { name: "global fetch", command: [node, pathOf("ten-lines-fetch.mjs"), baseUrl], env: token };
  /** @type {[what: string, args: string[], env: Record<string, string>, other: typeof bare, limit: number][]} */
  const lines = [
    ["`ents --version`", ["--version"], env, bare, 1.15],
    ["`ents --help`", ["--help"], env, bare, 1.7],
    ["`ents network --help`", ["network", "--help"], env, bare, 1.7],
    [
      "TAB after `ents network NEM --metrics`",
      listOnTab(node, "ents network NEM --metrics ", withCodes),
      withCodes,
      bare,
      2,
    ],
    [
      "TAB after `ents facilities NEM --unit-code`, of 1,500 units",
      listOnTab(node, "ents facilities NEM --unit-code ", withCodes),
      withCodes,
      bare,
      2,
    ],
    ["one small request, csv, stored token", little, { ...env, ENTS_CONFIG_DIR: stored }, bare, isNew ? 3 : 4.5],
    ["one small request, csv, token from the environment", little, token, bare, isNew ? 2.5 : 4.5],
    ["one small request, csv", little, token, sdk, isNew ? 0.9 : 0.65],
    ["one small request, csv", little, token, byFetch, isNew ? 1 : 0.65],
  ];
  return lines.map(([what, args, itsEnv, other, limit]) => {
    process.stderr.write(`${version}: ${what}\n`);
    const ents = { name: what, command: [node, ENTS, ...args], env: itsEnv };
    const pairs = alternate([() => run(ents), () => run(other)], { rounds, warmUp: true });
    return {
      what,
      other: other.name,
      version,
      limit,
      wall: spread(pairs.map(([wall]) => wall)),
      bare: spread(pairs.map(([, wall]) => wall)),
      ratio: spread(pairs.map(([wall, otherWall]) => wall / otherWall)),
    };
  });
}

/** @param {string} name */
function pathOf(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The arguments that a shell passes on TAB. @param {string} node binary @param {string} line @param {Record<string, string>} env */
function listOnTab(node, line, env) {
  const args = ["__complete", "bash", "", line];
  const { stdout } = spawnSync(node, [ENTS, ...args], { env, encoding: "utf8" });
  // Completion prints nothing if it fails.
  if (stdout === "") throw new Error(`nothing to complete after "${line}"`);
  return args;
}

/** @param {string} directory @param {{ baseUrl: string, token: string }} stored */
function storeToken(directory, { baseUrl, token }) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, "config.json"), JSON.stringify({ tokens: { [baseUrl]: token } }), { mode: 0o600 });
  return directory;
}
