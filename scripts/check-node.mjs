/**
 * Stops a build with one line if this Node cannot build ents; the result runs on older ones (package.json: devEngines,
 * engines).
 */
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

/** True if this Node is in the range: `^20.19.0` is 20.x from 20.19, `>=22.12.0` is any from 22.12. @param {string} range */
function isIn(range) {
  const [from, least] = range.replace(/^\D+/, "").split(".").map(Number);
  return major === from ? minor >= least : range.startsWith(">=") && major > from;
}
