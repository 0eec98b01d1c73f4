/**
 * The Node releases on which the package is tested: this one, and in a full run those of `ENTS_TEST_NODES`, paths
 * separated by colons.
 */
import { execFileSync } from "node:child_process";
import { FULL } from "../support/extent.ts";

const others = FULL ? (process.env["ENTS_TEST_NODES"] ?? "").split(":").filter((path) => path !== "") : [];

export const nodes: readonly [version: string, path: string][] = [process.execPath, ...others].map((path) => [
  execFileSync(path, ["--version"], { encoding: "utf8" }).trim(),
  path,
]);
