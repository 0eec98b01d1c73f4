/** The cache directory on each platform, as in env-paths. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findCacheDirectory } from "../../src/files/folders.ts";

const HOME = tmpdir();
const ALL = { HOME, XDG_CACHE_HOME: "/xdg", LOCALAPPDATA: "C:/Local" };

test.each([
  ["linux", ALL, join("/xdg/ents")],
  ["linux", { HOME }, join(HOME, ".cache/ents")],
  ["linux", { HOME, ENTS_CACHE_DIR: "" }, join(HOME, ".cache/ents")],
  ["darwin", ALL, join(HOME, "Library/Caches/ents")],
  ["win32", ALL, join("C:/Local", "ents", "Cache")],
  ["linux", { ...ALL, ENTS_CACHE_DIR: "cache" }, "cache"],
  ["linux", {}, undefined],
  ["linux", { HOME: "", XDG_CACHE_HOME: "", ENTS_CACHE_DIR: "" }, undefined],
  ["darwin", {}, undefined],
  ["linux", { HOME: "/no/such/home" }, undefined],
  ["linux", { HOME: "/no/such/home", XDG_CACHE_HOME: "/xdg" }, join("/xdg/ents")],
  ["win32", { HOME }, undefined],
] as const)("on %s, with %j: %s", (platform, env, directory) => {
  expect(findCacheDirectory(env, platform)).toBe(directory);
});
