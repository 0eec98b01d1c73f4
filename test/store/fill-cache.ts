import type { Context } from "../../src/base/context.ts";
import { openCache } from "../../src/store/cache.ts";
import type { PlannedRequest } from "../../src/plan/plan.ts";
import { processOf } from "../files/processes.ts";
import { createRandom } from "../support/random.ts";

export interface Filling {
  readonly directory: string;
  readonly limit: number;
  readonly seed: number;
  readonly rounds: number;
}

/** Requests random responses of up to 6 KB and stores those that are missing. Throws if a stored one is incomplete. */
export async function fillCache({ directory, limit, seed, rounds }: Filling): Promise<void> {
  const used: Partial<Context> = { env: { ENTS_CACHE_DIR: directory }, cwd: "/", now: Date.now, process: processOf(1) };
  const context = used as Context;
  const age = { amount: 1, unit: "days" } as const;
  const options = { age, service: "https://api.example.org/", token: "t0ken", limit };
  const cache = await openCache(options, context, (text) => {
    throw new Error(text);
  });
  const random = createRandom(seed);
  for (let round = 0; round < rounds; round++) {
    const name = Math.floor(random() * 60);
    const request: PlannedRequest = { method: "GET", path: `/${name}`, points: undefined, endsBy: undefined };
    const bytes = Buffer.alloc(name * 100, "x");
    const found = await cache?.find(request);
    if (found && !found.bytes.equals(bytes)) throw new Error(`/${name} is not whole`);
    if (!found)
      await cache?.keep(request, { status: 200, gzip: true, bytes, receivedAt: Date.now(), retryAfter: undefined });
  }
}
