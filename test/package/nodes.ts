/** The Nodes that the package is tested on: this one, and those that ENTS_TEST_NODES names by their paths, with colons between. */
import { execFileSync } from "node:child_process";

export const nodes = [process.execPath, ...(process.env["ENTS_TEST_NODES"] ?? "").split(":")]
  .filter((path) => path !== "")
  .map((path): [version: string, path: string] => [execFileSync(path, ["--version"], { encoding: "utf8" }).trim(), path]);
