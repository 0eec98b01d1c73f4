/** The account of a token: `GET /v4/me`, which is not in v4.md and may be missing. */
import * as z from "zod/mini";
import { createClient } from "./client.ts";
import { EntsError } from "../base/errors.ts";
import type { Surroundings } from "../base/report.ts";
import { LosslessNumber } from "../base/json.ts";
import { createShowText } from "../base/shown-text.ts";
import type { Token } from "../settings/token.ts";
import { type RetryValues, resolveSettings } from "./open-service.ts";

export interface Account {
  readonly plan: string | undefined;
  /** Requests left today. */
  readonly creditsLeft: string | undefined;
}

const counted = z.pipe(
  z.nullish(z.instanceof(LosslessNumber)),
  z.transform((count) => count?.value),
);
/** Treated as missing: the token itself was accepted. */
const ofAnotherType = z.pipe(
  z.unknown(),
  z.transform(() => undefined),
);
const accountSchema = z.object({
  data: z.object({
    plan: z.union([z.nullish(z.string().check(z.trim())), ofAnotherType]),
    credits: z.union([z.nullish(z.object({ remaining: counted })), ofAnotherType]),
  }),
});

/** An account is a few lines. */
const MAX_BODY = 1024 * 1024;

/**
 * Undefined where the service does not answer this path.
 * @throws {EntsError} authentication: the token was refused; unavailable: the service could not be reached.
 */
export async function readAccount(
  address: { baseUrl: URL; token: Token },
  { context, report, fetch }: Surroundings & { readonly fetch: Omit<RetryValues, "maxBody"> },
): Promise<Account | undefined> {
  const client = createClient({ ...resolveSettings({ ...fetch, maxBody: MAX_BODY }, { report }), ...address }, context);
  try {
    const checked = accountSchema.safeParse(await client.getJson("/v4/me"));
    if (!checked.success) return undefined;
    const { plan, credits } = checked.data.data;
    const show = createShowText(address.token.value);
    return { plan: plan ? show(plan) : undefined, creditsLeft: credits?.remaining };
  } catch (error) {
    if (error instanceof EntsError && error.kind === "refused") return undefined;
    throw error;
  } finally {
    await client.close();
  }
}
