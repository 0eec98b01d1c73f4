/** Ends a build on a Node that cannot build with one line; what is built runs on older ones (package.json: devEngines, engines). */
import { readFileSync } from "node:fs";

const { engines, devEngines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [major, minor] = process.versions.node.split(".").map(Number);
const ranges = devEngines.runtime.version.split(" || ");

if (!ranges.some(isIn)) {
  const releases = ranges.map((range) => range.replace(/^\D+|\.0$/g, "")).join(", ");
  const runs = engines.node.replace(">=", "");
  process.stderr.write(
    `ents: to build, use Node ${releases} or later; this is ${process.version} (once installed, ents runs on ${runs} or later)\n`,
  );
  process.exitCode = 2;
}

/** `^20.19.0` is 20.19 or later of 20, `>=22.12.0` any later one. @param {string} range */
function isIn(range) {
  const [from, least] = range.replace(/^\D+/, "").split(".").map(Number);
  return major === from ? minor >= least : range.startsWith(">=") && major > from;
}
