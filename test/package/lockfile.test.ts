/**
 * `npm ci` refuses a lock file that lacks an optional dependency, even one for another platform. `npm install` omits it
 * silently if a registry does not have it.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { expect, test } from "vitest";

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

const { packages } = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as Lock;

/** Whether a package at `path` finds exactly the required version of `name` beside it or in a folder above. */
function isLocked(path: string, name: string, wanted: string): boolean {
  const here = path === "" || path === "." ? `node_modules/${name}` : `${path}/node_modules/${name}`;
  const found = packages[here];
  if (found) return !/^\d/.test(wanted) || found.version === wanted;
  return path !== "" && path !== "." && isLocked(dirname(path), name, wanted);
}

test("every optional dependency is in the lock file, whatever its platform", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, wanted]) => !isLocked(path, name, wanted))
      .map(([name]) => name),
  );
  expect(missing).toEqual([]);
});
