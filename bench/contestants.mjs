/**
 * The contestants of the exports. Each writes CSV (or the format in its name) to standard output, which is the same for
 * all.
 */
import { fileURLToPath } from "node:url";

/** @typedef {import("./measure.mjs").Contestant} Contestant @typedef {import("./work.mjs").Work} Work */

export const ENTS = fileURLToPath(new URL("../bin/ents", import.meta.url));
const BY_HAND = fileURLToPath(new URL("by-hand.mjs", import.meta.url));
const SDK = fileURLToPath(new URL("sdk.mjs", import.meta.url));

const JQ_ROWS = `.data[] | .network_code as $network | .metric as $metric | .unit as $unit | .results[]
  | .columns.region as $region | .data[] | [.[0], $network, $metric, $unit, $region, .[1]] | @csv`;

/**
 * @param {Work} work @param {Readonly<Record<string, string>>} env @param {string} file path for `-o`
 * @returns {Record<"ents" | "ndjson" | "parquet" | "arrow" | "file" | "pivot" | "byHand" | "download" | "packed" | "jq" | "sdk", Contestant>}
 */
export function listContestants(work, env, file) {
  const ents = [process.execPath, ENTS, ...work.args];
  const curl = [
    "curl",
    "--silent",
    "--show-error",
    "--fail",
    "--oauth2-bearer",
    env["ENTS_TOKEN"] ?? "",
    "--config",
    work.curlFile,
  ];
  const pipe = [...curl, "--compressed"].map(quote).join(" ");
  return {
    ents: { name: "**ents, csv**", command: [...ents, "-f", "csv"], env },
    ndjson: { name: "ents, ndjson", command: [...ents, "-f", "ndjson"], env },
    parquet: { name: "ents, parquet", command: [...ents, "-f", "parquet"], env },
    arrow: { name: "ents, arrow", command: [...ents, "-f", "arrow"], env },
    file: { name: "ents, csv, `-o` file", command: [...ents, "-f", "csv", "-o", file], env },
    pivot: {
      name: "ents, csv, `--pivot`, `-o` file",
      command: [...ents, "-f", "csv", "--pivot", "region", "-o", file],
      env,
    },
    byHand: { name: "**hand-written script: the baseline**", command: [process.execPath, BY_HAND, work.urlFile], env },
    download: { name: "download only: `curl --compressed`", command: [...curl, "--compressed"], env },
    packed: { name: "download, left packed: `curl`", command: [...curl, "--header", "accept-encoding: gzip"], env },
    jq: {
      name: "`curl \\| jq -r @csv`",
      command: ["bash", "-o", "pipefail", "-c", `${pipe} | jq -r ${quote(JQ_ROWS)}`],
      env,
    },
    sdk: { name: "the official SDK", command: [process.execPath, SDK, work.urlFile], env },
  };
}

/** @param {string} word */
function quote(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
