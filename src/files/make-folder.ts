import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../base/errors.ts";

/** Makes a folder and its parents, those that are missing for this user alone. Node's own way never ends in /proc. */
export function makeFolder(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeOne(path);
  }
}

/** Another process may have made it. */
function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
