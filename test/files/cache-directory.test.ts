/** The cache directory on each platform, as in env-paths. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { findCacheDirectory } from "../../src/files/folders.ts";

const ALL = { HOME: "/home/me", XDG_CACHE_HOME: "/xdg", LOCALAPPDATA: "C:/Local" };

test.each([
  ["linux", ALL, "/xdg/ents"],
  ["linux", { HOME: "/home/me" }, "/home/me/.cache/ents"],
  ["linux", { HOME: "/home/me", ENTS_CACHE_DIR: "" }, "/home/me/.cache/ents"],
  ["darwin", ALL, "/home/me/Library/Caches/ents"],
  ["win32", ALL, join("C:/Local", "ents", "Cache")],
  ["linux", { ...ALL, ENTS_CACHE_DIR: "cache" }, "cache"],
  ["linux", {}, undefined],
  ["linux", { HOME: "", XDG_CACHE_HOME: "", ENTS_CACHE_DIR: "" }, undefined],
  ["darwin", {}, undefined],
  ["win32", { HOME: "/home/me" }, undefined],
] as const)("on %s, with %j: %s", (platform, env, directory) => {
  expect(findCacheDirectory(env, platform)).toBe(directory);
});
