/**
 * The file of a stored response: the body as the service sent it, so that `zcat` shows it. An empty gzip member in
 * front has a comment, one line of JSON, with the request and the time of receipt, so that no separate index can be
 * lost.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import * as z from "zod/mini";
import type { Context } from "../base/context.ts";
import { codeOf } from "../base/errors.ts";
import { isMissing } from "../files/system-error.ts";
import { writeWhole } from "../files/temporary.ts";
import type { Window } from "../query/window.ts";
import type { Response } from "../source/response.ts";
import { formatLocalTime, type LocalTime } from "../time/local-time.ts";
import { readWindow } from "../plan/request-path.ts";
import { factsSchema } from "./response-facts.ts";
import { type SplitGrid, isGrid } from "./segments.ts";

const headingSchema = z.object({
  /** Base URL of the service. */
  service: z.string(),
  /** The path of the request, with all parameters. */
  path: z.string(),
  status: z.number(),
  /** Milliseconds since 1970 UTC. */
  receivedAt: z.number(),
  /**
   * Number of the run that received it; later runs have higher numbers. 0 in the cache, which keeps only the newest
   * response.
   */
  run: z.number(),
  /** A hash that identifies the account, in a folder shared by several accounts (the cache). */
  account: z.optional(z.string()),
  /** SHA-256 of the body as stored. */
  hash: z.string(),
  /** For an output that is updated: how its time is cut, and what the response has. */
  grid: z.optional(z.custom<SplitGrid>(isGrid)),
  /** Why an update asked for it (rules.ts). */
  reason: z.optional(z.string()),
  facts: z.optional(factsSchema),
});

export type Heading = Readonly<z.output<typeof headingSchema>>;

export interface StoredResponse extends Heading {
  /** The name of its file. */
  readonly name: string;
  /** The window of its request. */
  readonly window: Window;
}

/** Identifies a stored response. */
export type ResponseKey = Pick<Heading, "service" | "account" | "path" | "run">;

const ANSWER = /^[\w-]+\.[0-9a-f]{8}\.(\d+)\.json\.gz$/;

export function isResponseFile(name: string): boolean {
  return ANSWER.test(name);
}

/** The number of the run that received a stored response, by its file name. */
export function findRunOfResponse(name: string): number {
  return Number(ANSWER.exec(name)?.[1]);
}

/** `2025-01-01T0000_2025-01-09T0000.1f0c9a3e.1767225600000.json.gz`: the window, a hash of the request, and the run. */
export function nameResponse({ service, account, path, run }: ResponseKey): string {
  const request = [service, account, path].filter((part) => part !== undefined).join(" ");
  return `${nameWindow(readWindow(path))}.${hash(request).slice(0, 8)}.${run}.json.gz`;
}

function nameWindow({ start, end }: Window): string {
  const name = (local: LocalTime) => formatLocalTime(local).replaceAll(":", "").replace(/00$/, "");
  if (start === undefined) return end === undefined ? "default" : `until-${name(end)}`;
  return end === undefined ? `${name(start)}_open` : `${name(start)}_${name(end)}`;
}

/** The file of a stored response. */
interface WrittenResponse {
  readonly name: string;
  readonly heading: Heading;
}

/**
 * `check`: gets the size of the file in bytes before it is put into place, and may throw. Rejects with the system's
 * errors.
 */
export async function writeResponseFile(
  folder: string,
  { response, ...asked }: ResponseKey & Pick<Heading, "grid" | "reason" | "facts"> & { readonly response: Response },
  { process, check }: Pick<Context, "process"> & { readonly check?: (bytes: number) => void },
): Promise<WrittenResponse> {
  const { status, receivedAt } = response;
  const body = response.gzip ? response.bytes : await promisify(gzip)(response.bytes);
  const heading = { ...asked, status, receivedAt, hash: hash(body) };
  const name = nameResponse(heading);
  await writeWhole(join(folder, name), Buffer.concat([encodeHeading(heading), body]), { mode: 0o600, process, check });
  return { name, heading };
}

/** Undefined if the file cannot be read or has no heading. */
export async function readHeading(path: string, owner: number): Promise<Heading | undefined> {
  return withFile(path, owner, async (file) => {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(MAX_HEADING) });
    return split(buffer.subarray(0, bytesRead))?.heading;
  });
}

/** Undefined if the file is gone, damaged, or belongs to another request. */
export async function readResponseFile(
  path: string,
  owner: number,
  asked?: ResponseKey,
): Promise<Response | undefined> {
  const content = await withFile(path, owner, (file) => file.readFile());
  const { heading, body } = (content && split(content)) ?? {};
  if (!heading || !body || heading.hash !== hash(body) || (asked && !isOf(heading, asked))) return undefined;
  const { status, receivedAt } = heading;
  return { status, receivedAt, gzip: true, bytes: body, retryAfter: undefined };
}

/** Header of a gzip member (RFC 1952): with a comment, no modification time, unknown operating system. */
const MEMBER_START = Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff]);
/** End of the comment, then an empty deflate block, its checksum and its length. */
const MEMBER_END = Buffer.from([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
/** In bytes; far more than the longest request path needs. */
const MAX_HEADING = 32 * 1024;

function encodeHeading(heading: Heading): Buffer {
  return Buffer.concat([MEMBER_START, Buffer.from(escapeToAscii(JSON.stringify(heading)), "latin1"), MEMBER_END]);
}

/** JSON of ASCII alone: a comment of gzip is Latin-1. */
function escapeToAscii(json: string): string {
  return json.replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function split(content: Buffer): { readonly heading: Heading; readonly body: Buffer } | undefined {
  const end = content.indexOf(MEMBER_END, MEMBER_START.length);
  if (end < 0 || !content.subarray(0, MEMBER_START.length).equals(MEMBER_START)) return undefined;
  try {
    const heading = headingSchema.parse(JSON.parse(content.toString("latin1", MEMBER_START.length, end)));
    return { heading, body: content.subarray(end + MEMBER_END.length) };
  } catch {
    return undefined;
  }
}

/** Windows has neither flag. Without NONBLOCK, opening a named pipe could block forever. */
const READ_ONLY_NOT_LINKED = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Errors treated as a missing file: it is gone, a link, a pipe or another user's, or the disk cannot read it. */
const NO_FILE = ["ENOENT", "ELOOP", "ENXIO", "EACCES", "EPERM", "EIO"];

/**
 * Reads a regular file that belongs to `owner`; undefined for anything else, such as a link, or if it cannot be read.
 */
async function withFile<T>(
  path: string,
  owner: number,
  read: (file: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, READ_ONLY_NOT_LINKED);
    const status = await file.stat();
    return status.isFile() && status.uid === owner ? await read(file) : undefined;
  } catch (error) {
    if (NO_FILE.includes(codeOf(error) ?? "")) return undefined;
    throw error;
  } finally {
    await file?.close().catch(() => {});
  }
}

export function isOf(heading: Heading, { service, account, path }: ResponseKey): boolean {
  return heading.service === service && heading.account === account && heading.path === path;
}

export function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

export async function listResponses(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter(isResponseFile);
}
