import { readFileSync } from "node:fs";

/** The version in package.json, which stands one folder above the library's modules and two above the command's bundle. */
export function readVersion(): string {
  for (const up of ["../package.json", "../../package.json"]) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(up, import.meta.url), "utf8")) as { name?: string; version: string };
      if (manifest.name === "ents") return manifest.version;
    } catch {
      // Not there: the next place is tried.
    }
  }
  return "unknown";
}
