/** The service that a command asks: the one that was named, or the sandbox inside ents. */
import { type Client, type ClientEvent, type ClientOptions, createClient } from "./client.ts";
import type { Context } from "../base/context.ts";
import { findBaseUrl, requireToken } from "../settings/credentials.ts";
import { usageError } from "../base/errors.ts";
import { formatNumber } from "../base/numbers.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import type { Report } from "../base/report.ts";
import { DEFAULT_RETRY } from "./retry.ts";
import { durationMs } from "../time/duration.ts";
import { QUOTAS } from "../base/vocabulary.ts";

export interface Service {
  readonly client: Client;
  /** Undefined for the sandbox, whose address is another each time. */
  readonly baseUrl?: URL;
  close(): Promise<void>;
}

/** Who is told of what happens. */
export interface Watch {
  readonly report: Report;
  readonly onEvent?: (event: ClientEvent) => void;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** Requests a second: the community key's of the public service. */
const DEFAULT_RATE = QUOTAS.community.perSecond;

/** @throws {EntsError} authentication: no token, or no safe way for it. No connection was made. */
export async function openService(values: FetchValues, context: Context, watch: Watch): Promise<Service> {
  if (values.sandbox) return openSandboxService(values, context, watch);
  const baseUrl = await findBaseUrl(values.baseUrl, context.env);
  const token = await requireToken(baseUrl, context.env);
  watch.report.detail(`token from ${token.source}`);
  const settings = { ...resolveSettings(values, watch), rate: values.rate ?? DEFAULT_RATE };
  const client = createClient({ ...settings, baseUrl, token: token.value }, context);
  return { client, baseUrl, close: () => client.close() };
}

async function openSandboxService(values: FetchValues, context: Context, watch: Watch): Promise<Service> {
  const { startSandbox } = await import("../sandbox/sandbox.ts");
  const sandbox = await startSandbox({ now: context.now });
  watch.report.note("these numbers are synthetic: they come from the sandbox inside ents");
  const settings = { ...resolveSettings(values, watch), rate: values.rate };
  // No proxy stands between a process and itself.
  const client = createClient({ ...settings, baseUrl: new URL(sandbox.baseUrl), token: sandbox.token }, { ...context, env: {} });
  return {
    client,
    close: async () => {
      await client.close();
      await sandbox.close();
    },
  };
}

/** What the fetch flags say of retries and waits, with events told as details. */
export function resolveSettings(values: FetchValues, { report, onEvent }: Watch): Omit<ClientOptions, "baseUrl" | "token"> {
  return {
    retry: { ...DEFAULT_RETRY, retries: values.retries ?? DEFAULT_RETRY.retries },
    timeoutMs: resolveTimeout(values),
    onEvent: (event) => {
      report.detail(describeEvent(event));
      onEvent?.(event);
    },
  };
}

/** @throws {EntsError} usage: both an address and the sandbox. */
export function checkService(values: FetchValues): void {
  if (values.sandbox && values.baseUrl !== undefined) throw usageError("--sandbox goes without --base-url: it is a service of its own");
  resolveTimeout(values);
}

function resolveTimeout({ timeout }: FetchValues): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT_MS;
  const ms = durationMs(timeout);
  if (ms !== undefined && ms <= 2 ** 31 - 1) return ms;
  throw usageError("--timeout: a wait is at most 24d", "give seconds or minutes, such as 30s or 5m");
}

function describeEvent(event: ClientEvent): string {
  switch (event.type) {
    case "request":
      return `GET ${event.url}${event.attempt > 1 ? ` (try ${event.attempt})` : ""}`;
    case "answer":
      return `HTTP ${event.status}, ${formatNumber(event.bytes)} bytes in ${event.ms} ms`;
    case "retry":
      return `${event.reason}; waiting ${(event.waitMs / 1000).toFixed(1)} s${event.asked ? ", as the service asked" : ""}`;
  }
}
