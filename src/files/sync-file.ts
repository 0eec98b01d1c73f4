import { fsync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { codeOf } from "../base/errors.ts";

/**
 * Codes where files cannot be synced: devices, and some network shares, object stores and folders of virtual machines.
 */
const UNSUPPORTED = ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** Waits until the content is on disk, where the file system can tell. */
export async function syncFile(file: FileHandle): Promise<void> {
  // By its number: the file handles of Yarn's Plug'n'Play have no method for it.
  await promisify(fsync)(file.fd).catch((error: unknown) => {
    if (!UNSUPPORTED.includes(codeOf(error) ?? "")) throw error;
  });
}
