/**
 * `npm ci` refuses a lock file that leaves out an optional dependency, also one for another platform. An `npm install`
 * against a registry that does not carry them all leaves them out silently.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { expect, test } from "vitest";

interface Lock {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

const { packages } = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as Lock;

/** Whether a package at `path` finds `name` beside it or in a folder above. */
function isLocked(path: string, name: string): boolean {
  const here = path === "" || path === "." ? `node_modules/${name}` : `${path}/node_modules/${name}`;
  return here in packages || (path !== "" && path !== "." && isLocked(dirname(path), name));
}

test("every optional dependency is in the lock file, whatever its platform", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});
