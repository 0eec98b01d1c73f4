import type { FileHandle } from "node:fs/promises";
import { codeOf } from "../base/errors.ts";

/** Codes where files cannot be synced: devices, and some network shares, object stores and folders of virtual machines. */
const UNSUPPORTED = ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** Waits until the content is on disk, where the file system can tell. */
export async function syncFile(file: FileHandle): Promise<void> {
  await file.sync().catch((error: unknown) => {
    if (!UNSUPPORTED.includes(codeOf(error) ?? "")) throw error;
  });
}
