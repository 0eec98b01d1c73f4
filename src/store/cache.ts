/** `--cache`: responses kept between runs, for every command that sends the same request with the same account. */
import { lstat, lutimes, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../base/context.ts";
import { codeOf } from "../base/errors.ts";
import { type Surroundings, warnOnce } from "../base/report.ts";
import { makeFolder } from "../files/folders.ts";
import { findExposure } from "../files/own-folder.ts";
import { describeSystemError } from "../files/system-error.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import type { PlannedRequest } from "../plan/plan.ts";
import { subtractDuration, type Duration } from "../time/duration.ts";
import { createEvictor, findCacheFolder, MAX_CACHE_SIZE, CacheFull } from "./cache-folder.ts";
import type { Account, Service } from "../source/open-service.ts";
import { type ResponseStore, storeResponses } from "./store-responses.ts";
import {
  type ResponseKey,
  type Heading,
  hash,
  isOf,
  nameResponse,
  readResponseFile,
  readHeading,
  writeResponseFile,
} from "./response-file.ts";

export interface ResponseCache extends ResponseStore {
  /** Number of these requests that are not in the cache. */
  countMissing(requests: readonly PlannedRequest[]): Promise<number>;
}

/** Only a hash of the account is stored. */
export interface CacheOptions extends Account {
  /** Maximum age of a response. */
  readonly age: Duration;
  /** Bytes. */
  readonly limit?: number;
}

/** A service with its cache, if it has one. */
export interface CachedService extends Service {
  readonly cache?: ResponseCache | undefined;
}

/** Puts the cache in front of a service. */
export async function cacheService(
  service: Service,
  { age, maxBody }: Pick<CacheOptions, "age"> & Pick<FetchValues, "maxBody">,
  { context, report }: Surroundings,
): Promise<CachedService> {
  const cache = service.account && (await openCache({ ...service.account, age }, context, report.warn));
  if (!cache) return service;
  const client = storeResponses(service.client, { as: "cache", store: cache, maxBody, secrets: context.secrets });
  return { ...service, client, cache };
}

/** Warns and returns undefined if responses cannot be stored safely. */
export async function openCache(
  options: CacheOptions,
  context: Context,
  warn: (text: string) => void,
): Promise<ResponseCache | undefined> {
  const folder = findCacheFolder(context);
  const problem =
    folder === undefined ? "there is no home directory" : await findFolderProblem(folder, context.process.uid);
  if (folder !== undefined && problem === undefined)
    return createCache(folder, options, { ...context, warn: warnOnce(warn) });
  warn(
    `cannot use the cache${folder === undefined ? "" : ` in ${folder}`}: ${problem}; choose another directory with ENTS_CACHE_DIR`,
  );
  return undefined;
}

async function findFolderProblem(folder: string, uid: number | undefined): Promise<string | undefined> {
  try {
    makeFolder(folder);
    return (await findExposure(folder, uid))?.why;
  } catch (error) {
    return describeSystemError(error);
  }
}

async function createCache(
  folder: string,
  options: CacheOptions,
  { now, process, warn }: Pick<Context, "now" | "process"> & { readonly warn: (text: string) => void },
): Promise<ResponseCache> {
  const { age, service, token, limit = MAX_CACHE_SIZE } = options;
  const { uid: owner } = await lstat(folder);
  const makeRoom = createEvictor(folder, limit);
  const account = hash(token === undefined ? service : `${service} ${token}`);
  const askedOf = ({ path }: PlannedRequest): ResponseKey => ({ service, account, path, run: 0 });
  const fileOf = (request: PlannedRequest) => join(folder, nameResponse(askedOf(request)));
  return {
    countMissing: async (requests) => {
      let missing = 0;
      // One at a time: a process can open only a limited number of files.
      for (const request of requests) if (!(await has(request))) missing++;
      return missing;
    },
    find: async (request) => {
      const response = await readResponseFile(fileOf(request), owner, askedOf(request)).catch(() => undefined);
      if (!response || !isUsable(response)) return undefined;
      const used = new Date(now());
      await lutimes(fileOf(request), used, used).catch(() => {});
      return response;
    },
    keep: async (request, response) => {
      try {
        await writeResponseFile(
          folder,
          { ...askedOf(request), response },
          { process, check: (size) => makeRoom(size, now()) },
        );
      } catch (error) {
        // ENOENT: the cache was cleared in the meantime.
        if (error instanceof CacheFull || codeOf(error) === "ENOENT") return;
        warn(`cannot store responses in the cache in ${folder}: ${describeSystemError(error)}`);
      }
    },
    drop: (request) => rm(fileOf(request), { force: true }),
  };

  async function has(request: PlannedRequest): Promise<boolean> {
    const heading = await readHeading(fileOf(request), owner).catch(() => undefined);
    return heading !== undefined && isOf(heading, askedOf(request)) && isUsable(heading);
  }

  /** True unless the response is too old, or from the future because the clock was ahead when it was received. */
  function isUsable({ receivedAt }: Pick<Heading, "receivedAt">): boolean {
    return receivedAt <= now() && receivedAt >= subtractDuration(now(), age);
  }
}
