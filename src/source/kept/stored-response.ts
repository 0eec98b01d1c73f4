/** The file of a stored response: a heading of one line of JSON, then the body as received. */
import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { replaceFile } from "../../files/replace-file.ts";
import type { Response } from "../response.ts";

/** The request of a response: its service, and its path with all parameters. */
export interface RequestKey {
  readonly service: string;
  /** Who asked, where answers of several accounts are kept in one folder. */
  readonly account?: string | undefined;
  readonly path: string;
}

const headingSchema = z.object({
  service: z.string(),
  account: z.optional(z.string()),
  path: z.string(),
  status: z.number(),
  gzip: z.boolean(),
  /** Milliseconds since 1970 UTC. */
  receivedAt: z.number(),
  /** SHA-256 of the body. */
  hash: z.string(),
});

export type Heading = z.output<typeof headingSchema>;

const STORED = /^[0-9a-f]{32}\.response$/;
const UNFINISHED = /^[0-9a-f]{32}\.response\.[0-9a-f]{8}\.part$/;

export function isStored(name: string): boolean {
  return STORED.test(name);
}

/** Whether a killed run left the file half written. */
export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

export function nameOf({ service, account, path }: RequestKey): string {
  const parts = account === undefined ? [service, path] : [service, account, path];
  return `${hash(parts.join(" ")).slice(0, 32)}.response`;
}

export interface Stored {
  readonly key: RequestKey;
  readonly response: Response;
}

/** Stores a response: renamed into place when it is complete on the disk, and `beforeRename` has run with its size in bytes. */
export async function writeStored(
  folder: string,
  { key, response }: Stored,
  beforeRename: (size: number) => void = () => {},
): Promise<Heading> {
  const { status, gzip, receivedAt, bytes } = response;
  const heading = { ...key, status, gzip, receivedAt, hash: hash(bytes) };
  const name = join(folder, nameOf(key));
  const unfinished = `${name}.${randomBytes(4).toString("hex")}.part`;
  const file = await open(unfinished, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(heading)}\n`);
    await file.writeFile(bytes);
    await file.sync();
    const { size } = await file.stat();
    await file.close();
    beforeRename(size);
    await replaceFile(unfinished, name);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
  return heading;
}

/** Undefined where it cannot be read. */
export async function readHeading(path: string, owner: number): Promise<Heading | undefined> {
  return withStored(path, owner, async (file) => {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(MAX_HEADING) });
    return readFirstLine(buffer.subarray(0, bytesRead))?.heading;
  });
}

/** Bytes: far more than a path may have. */
const MAX_HEADING = 64 * 1024;

function readFirstLine(content: Buffer): { heading: Heading; rest: Buffer } | undefined {
  const end = content.indexOf("\n");
  const heading = end < 0 ? undefined : parseHeading(content.toString("utf8", 0, end));
  return heading && { heading, rest: content.subarray(end + 1) };
}

/** Undefined when there is none, it is damaged, or it is another request's. */
export async function readStored(folder: string, key: RequestKey, owner: number | undefined): Promise<Response | undefined> {
  const content = await withStored(join(folder, nameOf(key)), owner, (file) => file.readFile());
  const { heading, rest: bytes } = (content && readFirstLine(content)) ?? {};
  if (!heading || !bytes || !isOf(heading, key) || heading.hash !== hash(bytes)) return undefined;
  const { status, gzip, receivedAt } = heading;
  return { status, gzip, receivedAt, bytes, retryAfter: undefined };
}

export function isOf(heading: Heading, key: RequestKey): boolean {
  return heading.service === key.service && heading.account === key.account && heading.path === key.path;
}

/** Windows has neither flag. Without NONBLOCK, a named pipe would never open. */
const READ_ONLY_NOT_LINKED = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a regular file of this owner; undefined for anything else, such as a link, and where reading fails. */
async function withStored<T>(path: string, owner: number | undefined, read: (file: FileHandle) => Promise<T>): Promise<T | undefined> {
  const file = await open(path, READ_ONLY_NOT_LINKED).catch(() => undefined);
  try {
    const status = await file?.stat();
    return file && status?.isFile() && status.uid === owner ? await read(file) : undefined;
  } catch {
    return undefined;
  } finally {
    await file?.close().catch(() => {});
  }
}

function parseHeading(line: string): Heading | undefined {
  try {
    return headingSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

export function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
