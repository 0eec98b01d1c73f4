/** The files around a run: an output among files that belong to others. */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Chance } from "../support/chance.ts";
import type { Home } from "../support/run-ents.ts";
import type { ChaosService } from "./service.ts";

export const OUT = "data/old";
export const PARTIAL = `${OUT}.ents`;
export const OLD = "what was there before\n";

export interface Scene {
  readonly home: Home;
  readonly chance: Chance;
  readonly service: ChaosService;
}

/** Files of others, some with names like those of ents. */
const FOREIGN = [
  "notes.txt",
  "data/old.bak",
  "data/.old.ents-tmp",
  "data/.old.mine.ents-tmp",
  "data/old.ents.txt",
  "data/older",
  "precious/photo.jpg",
  "precious/lock",
  "precious/2025-01-01T0000_open.01234567.0.json.gz",
  "precious/2025-01-01T0000_open.01234567.0.json.gz.01234567.part",
  "precious/album/photo.jpg",
  "linked/neighbour",
];

export function setUp({ home }: Scene): void {
  for (const name of FOREIGN) {
    mkdirSync(dirname(home.path(name)), { recursive: true });
    writeFileSync(home.path(name), `${name} is precious\n`);
    chmodSync(home.path(name), 0o640);
    utimesSync(home.path(name), 1_600_000_000, 1_600_000_000);
  }
  writeFileSync(home.path(OUT), OLD);
  for (const folder of ["precious/album", "precious", "linked"]) utimesSync(home.path(folder), 1_600_000_000, 1_600_000_000);
}

/** The files that a run may change: the output's own, recognised by name. */
export interface Own {
  readonly outputs: readonly string[];
  /** Paths that the fault itself changes, with everything below them. */
  readonly touched: readonly string[];
  /** Paths that belong to others in spite of their names. */
  readonly foreign: readonly string[];
}

function isOwn(path: string, { outputs, touched, foreign }: Own): boolean {
  if (foreign.includes(path)) return false;
  if (touched.some((one) => path === one || path.startsWith(`${one}/`))) return true;
  return outputs.some((output) => {
    const [folder, name] = [dirname(output), output.slice(dirname(output).length + 1)];
    const temporary = new RegExp(`^${folder}/[.]${name}[.][0-9a-f]{8}[.].*[.]ents-tmp$`);
    return path === output || path === `${output}.ents` || path.startsWith(`${output}.ents/`) || temporary.test(path);
  });
}

/** Every other file, folder and link in the home: type, owner, time and content. */
export function takeSnapshot(home: Home, own: Own): Readonly<Record<string, string>> {
  const entries = listPaths(home.folder)
    .filter((path) => !isOwn(path, own))
    .map((path) => [
      path,
      describe(
        join(home.folder, path),
        own.outputs.some((output) => dirname(output) === path),
      ),
    ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Files with names of ents that are left over, except the outputs. */
export function listLeftovers(home: Home, own: Own): string[] {
  return listPaths(home.folder).filter((path) => isOwn(path, { ...own, touched: [] }) && !own.outputs.includes(path));
}

function listPaths(folder: string): string[] {
  const paths: string[] = [];
  const walk = (inside: string) => {
    for (const entry of readdirSync(inside, { withFileTypes: true })) {
      const path = join(inside, entry.name);
      paths.push(relative(folder, path));
      if (entry.isDirectory()) walk(path);
    }
  };
  walk(folder);
  return paths.sort();
}

/** The modification time of an output's folder changes whenever a file in it comes or goes. */
function describe(path: string, isFolderOfOutput: boolean): string {
  const status = lstatSync(path);
  const { mode, uid, gid, mtimeMs } = status;
  const content = status.isSymbolicLink()
    ? readlinkSync(path)
    : status.isFile()
      ? createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16)
      : "";
  return [mode.toString(8), uid, gid, isFolderOfOutput ? "" : mtimeMs, content].join(" ");
}

/** The files that existed before the run. */
export function takeForeign(home: Home): Readonly<Record<string, string>> {
  return Object.fromEntries(FOREIGN.map((name) => [name, existsSync(home.path(name)) ? describe(home.path(name), false) : "gone"]));
}
