import { codeOf, messageOf } from "../base/errors.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its directory does not exist",
  ENOTDIR: "a part of its path is not a directory",
  EISDIR: "it is a directory",
  ENAMETOOLONG: "its name is too long",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ELOOP: "its links form a loop",
  EBUSY: "another program has it open, or it is mounted on its own",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file system allows no larger file",
  EIO: "the disk reports an error",
};

/** Why a file or folder cannot be used: in plain words for known codes, else the system's message. */
export function describeSystemError(error: unknown): string {
  if (isFolderGone(error)) return FOLDER_GONE;
  // A file that could be written just before: Windows says this while another program has it open.
  if (isDenied(error) && (error as { readonly syscall?: string }).syscall === "rename") return HELD;
  return REASONS[codeOf(error) ?? ""] ?? messageOf(error);
}

const HELD = "another program has it open, or its folder does not let it be replaced";

export const FOLDER_GONE = "the current folder has been deleted";

/** True if a relative path was used in a current folder that has been deleted. */
export function isFolderGone(error: unknown): boolean {
  return codeOf(error) === "ENOENT" && (error as { readonly syscall?: string }).syscall === "uv_cwd";
}

/** True if a path does not exist, or cannot exist. */
export function isMissing(error: unknown): boolean {
  return !isFolderGone(error) && ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(codeOf(error) ?? "");
}

/** @throws the error, unless a path is missing. */
export function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** True if permissions or a read-only disk forbid it. */
export function isDenied(error: unknown): boolean {
  return ["EACCES", "EPERM", "EROFS"].includes(codeOf(error) ?? "");
}
