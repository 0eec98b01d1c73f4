/** Watches Node's file calls in this process, and makes them fail. */
import fs from "node:fs";
import promises, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { atEndOfFile } from "../support/cleanup.ts";

const OF_PATHS = [
  "rename",
  "link",
  "symlink",
  "utimes",
  "lutimes",
  "copyFile",
  "truncate",
  "mkdir",
  "unlink",
  "rm",
  "rmdir",
] as const;
const OF_HANDLES = ["appendFile", "writeFile", "truncate", "chmod", "chown"] as const;

export interface FileCall {
  readonly name: "open" | "sync" | (typeof OF_PATHS)[number] | (typeof OF_HANDLES)[number];
  readonly path: string;
  /** The path that a rename or link creates. */
  readonly to: string;
}

/** Calls `onCall` before each call, until the end of the test file; if it throws, the call throws the same error. */
export async function watchFileCalls(onCall: (call: FileCall) => void): Promise<void> {
  const { open } = promises;
  const { fsync } = fs;
  const paths = new Map<number, string>();
  replace(promises, "open", async (...args) => {
    onCall({ name: "open", path: String(args[0]), to: "" });
    const handle = await open(...args);
    paths.set(handle.fd, String(args[0]));
    return handle;
  });
  replace(fs, "fsync", ((fd, callback) => {
    try {
      onCall({ name: "sync", path: paths.get(fd) ?? "", to: "" });
    } catch (error) {
      return callback(error as Error);
    }
    fsync(fd, callback);
  }) as typeof fsync);
  watch(promises, OF_PATHS, (name, _self, [path, to]) => onCall({ name, path: String(path), to: String(to) }));
  const file = await open(import.meta.filename);
  await file.close();
  watch(Object.getPrototypeOf(file) as FileHandle, OF_HANDLES, (name, handle) =>
    onCall({ name, path: paths.get(handle.fd) ?? "", to: "" }),
  );
}

type Method = (...args: unknown[]) => Promise<void>;

function watch<T, K extends keyof T>(
  object: T,
  names: readonly K[],
  onCall: (name: K, self: T, args: readonly unknown[]) => void,
): void {
  for (const name of names) {
    const original = object[name] as Method;
    const watched = async function (this: T, ...args: unknown[]) {
      onCall(name, this, args);
      return original.apply(this, args);
    };
    replace(object, name, watched as T[K]);
  }
}

function replace<T, K extends keyof T>(object: T, name: K, by: T[K]): void {
  const original = object[name];
  const set = (value: T[K]) => {
    object[name] = value;
    syncBuiltinESMExports();
  };
  set(by);
  atEndOfFile(() => set(original));
}
