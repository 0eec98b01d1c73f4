import { readFileSync } from "node:fs";

/** From package.json, two folders above this module both in src and in the bundle. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}
