/**
 * A cache of the bundle's compiled code: without it, a quarter of a small request is compiling. It includes functions
 * compiled during the run, most of which Node's own cache (22 and later) leaves out.
 */
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { Script } from "node:vm";
import { findCacheDirectory, makeFolder } from "../files/folders.ts";

type Env = Readonly<Record<string, string | undefined>>;

const DAYS_KEPT = 90;
/** Node's wrapper of a CommonJS module. */
const HEAD = "(function (exports, require, module, __filename, __dirname) {";

interface Chunk {
  readonly exports: object;
}

/** Loads chunks from the cache; a run with a missing one writes all of its own at exit. */
export function keepCompiledCode(env: Env): void {
  const folder = openFolder(env);
  if (folder === undefined) return;
  const nodeRequire = createRequire(import.meta.url);
  const compiled = new Map<string, Script>();
  const chunks = new Map<string, Chunk>();
  let complete = true;
  const run = (chunk: Chunk, path: string) => {
    // A chunk's name contains the hash of its content.
    const cached = join(folder, `${basename(path)}.code`);
    const script = compile(path, readCached(cached));
    compiled.set(cached, script);
    complete &&= script.cachedDataRejected === false;
    const runScript = script.runInThisContext() as (...scope: unknown[]) => void;
    runScript.call(chunk.exports, chunk.exports, requireFromChunk, chunk, path, dirname(path));
  };
  // Chunks find each other without Node's look-up: 0.7 ms of a small request.
  const requireFromChunk = (id: string): unknown => {
    if (!id.startsWith("./")) return nodeRequire(id);
    const path = join(import.meta.dirname, id);
    const known = nodeRequire.cache[path] ?? chunks.get(path);
    if (known) return known.exports;
    const chunk = { exports: {} };
    // Before it runs: chunks may need each other.
    chunks.set(path, chunk);
    run(chunk, path);
    return chunk.exports;
  };
  const { extensions } = nodeRequire;
  const plain = extensions[".js"];
  // Node loads the first chunk, by this; .cjs files elsewhere are not chunks.
  extensions[".cjs"] = (module, path) => {
    if (dirname(path) === import.meta.dirname) run(module, path);
    else plain(module, path);
  };
  process.once("exit", () => {
    if (!complete) writeCache(compiled, folder);
  });
}

function compile(path: string, cachedData: Buffer | undefined): Script {
  return new Script(`${HEAD}${readFileSync(path, "utf8")}\n})`, {
    filename: path,
    columnOffset: -HEAD.length,
    cachedData,
  });
}

/** The cache folder of this Node version; undefined unless it is this user's alone: another's code would run with the token. */
function openFolder(env: Env): string | undefined {
  const cache = findCacheDirectory(env, process.platform);
  if (cache === undefined || env["NODE_DISABLE_COMPILE_CACHE"]) return undefined;
  const folder = resolve(cache, "code", `${process.version}-${process.arch}`);
  try {
    makeFolder(folder);
    const stats = lstatSync(folder);
    const real = realpathSync.native(folder);
    return stats.isDirectory() && isOwn(stats) && [...new Set([folder, real])].every(isReachedSafely) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Whether no other user but root can put another folder in the place of this one, by way of a folder or link above it. */
function isReachedSafely(folder: string): boolean {
  const parent = dirname(folder);
  if (parent === folder || process.getuid === undefined) return true;
  const stats = lstatSync(parent);
  const isTrusted = stats.uid === process.getuid() || stats.uid === 0;
  return isTrusted && (stats.isSymbolicLink() || keepsOthersOut(stats)) && isReachedSafely(parent);
}

const STICKY = 0o1000;

/** In a sticky folder, such as /tmp, others cannot rename what is not theirs. */
function keepsOthersOut({ mode }: Stats): boolean {
  return (mode & 0o022) === 0 || (mode & STICKY) !== 0;
}

function readCached(path: string): Buffer | undefined {
  try {
    const file = openSync(path, "r");
    try {
      return isOwn(fstatSync(file)) ? verify(readFileSync(file)) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/**
 * V8 does not check the data itself, and a damaged byte could do anything: so it is kept twice. Comparing takes no time; a
 * checksum would load node:zlib or node:crypto, 2 ms or more.
 */
function keepTwice(data: Buffer): Buffer {
  return Buffer.concat([data, data]);
}

function verify(content: Buffer): Buffer | undefined {
  const data = content.subarray(0, content.length / 2);
  return data.length > 0 && data.equals(content.subarray(content.length / 2)) ? data : undefined;
}

/** Only this user can have written it. Windows has no such modes; its cache is in the user's own folder. */
function isOwn({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}

/** Writes each file atomically and deletes old ones. Ignores errors: the cache is optional. */
function writeCache(compiled: ReadonlyMap<string, Script>, folder: string): void {
  try {
    for (const [path, script] of compiled) {
      writeWhole(path, keepTwice(script.createCachedData()));
    }
    const oldest = Date.now() - DAYS_KEPT * 86_400_000;
    for (const path of readdirSync(folder).map((name) => join(folder, name))) {
      if (lstatSync(path).mtimeMs < oldest) rmSync(path);
    }
  } catch {
    // The next run tries again.
  }
}

/** Containers that share the cache share process IDs too, so a temporary file's name is random. */
function writeWhole(path: string, content: Buffer): void {
  const temporary = `${path}.${Math.random().toString(36).slice(2)}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
