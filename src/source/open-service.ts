/** The service of a command: at the base address, or the sandbox. */
import { type ClientEvent, type ClientOptions, createClient } from "./client.ts";
import { type CommandName, PUBLIC_COMMANDS } from "../base/vocabulary.ts";
import { describeAnonymous, describeMissingToken, findToken, requireToken } from "../settings/credentials.ts";
import { findBaseUrl, type Settings } from "../settings/settings.ts";
import { formatNumber } from "../base/phrases.ts";
import { FETCH_FLAGS, type FetchValues } from "../options/fetch-options.ts";
import type { Report, Surroundings } from "../base/report.ts";
import { describeRetry } from "./failure.ts";
import type { AnswerCache, CacheOptions } from "./kept/cache.ts";
import { keepAnswers } from "./kept/keep-answers.ts";
import { DEFAULT_RETRY } from "./retry.ts";
import type { Source } from "./source.ts";

export interface Service {
  /** Behind the cache, if there is one. */
  readonly client: Source;
  /** Where `--cache` asks for it; never of the sandbox. */
  readonly cache?: AnswerCache | undefined;
  /** Undefined for the sandbox, whose port changes each time. */
  readonly baseUrl?: URL;
  /** `done`: all requests are answered. */
  close(done: boolean): Promise<void>;
}

interface Called extends Surroundings {
  readonly command: CommandName;
}

export interface Watch {
  readonly report: Report;
  readonly onEvent?: (event: ClientEvent) => void;
}

export type RetryValues = Pick<FetchValues, "timeout" | "retries" | "maxBody">;

const OR_SANDBOX = `\nor use ${FETCH_FLAGS.sandbox}: synthetic data, no account needed`;

/** @throws {EntsError} authentication: no token for a command that needs one, or it would be sent unencrypted. Makes no connection. */
export async function openService(values: FetchValues, settings: Settings, watch: Watch & Called): Promise<Service> {
  if (values.sandbox) return openSandboxService(values, watch);
  const baseUrl = findBaseUrl(values.baseUrl, settings);
  const isPublic = PUBLIC_COMMANDS.includes(watch.command);
  const token = isPublic ? findToken(baseUrl, settings) : requireToken(baseUrl, settings, OR_SANDBOX);
  if (token) watch.report.detail(`token ${token.source}`);
  else watch.report.note(describeAnonymous(baseUrl));
  const credential = token ?? describeMissingToken(baseUrl, OR_SANDBOX);
  const client = createClient({ ...resolveSettings(values, watch), rate: values.rate, baseUrl, token: credential }, watch.context);
  const kept = { as: "cache", maxBody: values.maxBody, secrets: watch.context.secrets } as const;
  const cache = await loadCache(values.cache, { service: baseUrl.href, token: token?.value }, watch);
  return {
    client: cache ? keepAnswers(client, { ...kept, store: cache }) : client,
    cache,
    baseUrl,
    // To end idle connections takes 2 ms.
    close: (done) => client.close(done),
  };
}

/** Loaded only where it is asked for: its node:crypto takes 4 ms. */
async function loadCache(
  age: FetchValues["cache"],
  options: Omit<CacheOptions, "age">,
  { context, report }: Surroundings,
): Promise<AnswerCache | undefined> {
  if (age === undefined || age === "off") return undefined;
  const { openCache } = await import("./kept/cache.ts");
  return openCache({ ...options, age }, context, report.warn);
}

async function openSandboxService(values: FetchValues, watch: Watch & Called): Promise<Service> {
  const { startSandbox } = await import("../sandbox/sandbox.ts");
  const { now } = watch.context;
  const sandbox = await startSandbox({ now });
  watch.report.note("these numbers are synthetic: they come from the sandbox inside ents");
  if (values.cache !== undefined && values.cache !== "off")
    watch.report.note(`${FETCH_FLAGS.cache} has no effect with ${FETCH_FLAGS.sandbox}: its answers are never kept`);
  const settings = { ...resolveSettings(values, watch), rate: values.rate };
  // Without env: no proxy for loopback.
  const context = { ...watch.context, env: {} };
  const token = { value: sandbox.token, source: "of the sandbox", replace: "run the command again" };
  const client = createClient({ ...settings, baseUrl: new URL(sandbox.baseUrl), token }, context);
  return {
    client,
    close: async () => {
      try {
        await client.close();
      } finally {
        await sandbox.close();
      }
    },
  };
}

/** Client options from the flags; events are reported as details. */
export function resolveSettings(values: RetryValues, { report, onEvent }: Watch): Omit<ClientOptions, "baseUrl" | "token"> {
  return {
    retry: { ...DEFAULT_RETRY, retries: values.retries },
    timeoutMs: values.timeout,
    maxBody: values.maxBody,
    onEvent: (event) => {
      report.detail(describeEvent(event));
      onEvent?.(event);
    },
  };
}

function describeEvent(event: ClientEvent): string {
  switch (event.type) {
    case "request":
      return `GET ${event.url}${event.attempt > 1 ? ` (try ${event.attempt})` : ""}`;
    case "answer":
      return `HTTP ${event.status}, ${formatNumber(event.bytes)} bytes in ${event.ms} ms`;
    case "retry":
      return describeRetry(event);
  }
}
