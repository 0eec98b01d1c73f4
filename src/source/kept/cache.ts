/** `--cache`: answers that are kept between runs, for every command that makes the same request with the same account. */
import { lstat, lutimes, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../../base/context.ts";
import { codeOf } from "../../base/errors.ts";
import { warnOnce } from "../../base/report.ts";
import { makeFolder } from "../../files/folders.ts";
import { findExposure } from "../../files/own-folder.ts";
import { describeSystemError } from "../../files/system-error.ts";
import type { PlannedRequest } from "../../plan/plan.ts";
import { subtractDuration } from "../../time/calendar.ts";
import type { Duration } from "../../time/duration.ts";
import { createRoomMaker, findCacheFolder, MAX_CACHE_SIZE, NoRoom } from "./cache-folder.ts";
import type { AnswerStore } from "./keep-answers.ts";
import { type AnswerKey, type Heading, hash, isOf, nameAnswer, readAnswer, readHeading, writeAnswer } from "./answer-file.ts";

export interface AnswerCache extends AnswerStore {
  /** How many of these requests have no usable answer in it. */
  countMissing(requests: readonly PlannedRequest[]): Promise<number>;
}

export interface CacheOptions {
  /** Older answers are not used. */
  readonly age: Duration;
  /** The base address. */
  readonly service: string;
  /** Only a hash of it is kept; undefined: requests are made without one. */
  readonly token: string | undefined;
  /** Bytes. */
  readonly limit?: number;
}

type CacheContext = Pick<Context, "env" | "cwd" | "now" | "process">;

/** Undefined, with a warning, where answers cannot be kept safely: the run goes on without. */
export async function openCache(
  options: CacheOptions,
  context: CacheContext,
  warn: (text: string) => void,
): Promise<AnswerCache | undefined> {
  const folder = findCacheFolder(context);
  const problem = folder === undefined ? "there is no home directory" : await findProblem(folder, context.process.uid);
  if (folder !== undefined && problem === undefined) return createCache(folder, options, { now: context.now, warn: warnOnce(warn) });
  warn(`cannot use the cache${folder === undefined ? "" : ` in ${folder}`}: ${problem}; choose another directory with ENTS_CACHE_DIR`);
  return undefined;
}

async function findProblem(folder: string, uid: number | undefined): Promise<string | undefined> {
  try {
    makeFolder(folder);
    return await findExposure(folder, uid);
  } catch (error) {
    return describeSystemError(error);
  }
}

async function createCache(
  folder: string,
  options: CacheOptions,
  { now, warn }: Pick<Context, "now"> & { readonly warn: (text: string) => void },
): Promise<AnswerCache> {
  const { age, service, token, limit = MAX_CACHE_SIZE } = options;
  const { uid: owner } = await lstat(folder);
  const makeRoom = createRoomMaker(folder, limit);
  const account = hash(token === undefined ? service : `${service} ${token}`);
  const askedOf = ({ path }: PlannedRequest): AnswerKey => ({ service, account, path, run: 0 });
  const fileOf = (request: PlannedRequest) => join(folder, nameAnswer(askedOf(request)));
  return {
    countMissing: async (requests) => {
      let missing = 0;
      // One by one: so many files at once may be more than a process can open.
      for (const request of requests) if (!(await has(request))) missing++;
      return missing;
    },
    find: async (request) => {
      const response = await readAnswer(fileOf(request), owner, askedOf(request)).catch(() => undefined);
      if (!response || !isUsable(response)) return undefined;
      const used = new Date(now());
      await lutimes(fileOf(request), used, used).catch(() => {});
      return response;
    },
    keep: async (request, response) => {
      try {
        await writeAnswer(folder, { ...askedOf(request), response }, (size) => makeRoom(size, now()));
      } catch (error) {
        // Where the folder or the file is gone, it was cleared.
        if (error instanceof NoRoom || codeOf(error) === "ENOENT") return;
        warn(`cannot keep answers in the cache in ${folder}: ${describeSystemError(error)}`);
      }
    },
    drop: (request) => rm(fileOf(request), { force: true }),
  };

  async function has(request: PlannedRequest): Promise<boolean> {
    const { heading } = (await readHeading(fileOf(request), owner).catch(() => undefined)) ?? {};
    return heading !== undefined && isOf(heading, askedOf(request)) && isUsable(heading);
  }

  /** Neither too old, nor received by a clock that was ahead. */
  function isUsable({ receivedAt }: Pick<Heading, "receivedAt">): boolean {
    return receivedAt <= now() && receivedAt >= subtractDuration(now(), age);
  }
}
