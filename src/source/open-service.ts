/** Opens the service of a command: the one at the base address, or the sandbox. */
import type { Json } from "../base/json.ts";
import { formatNumber } from "../base/phrases.ts";
import { type Report, type Surroundings, warnOnce } from "../base/report.ts";
import { type CommandName, PUBLIC_COMMANDS } from "../base/vocabulary.ts";
import { FETCH_FLAGS, type FetchValues } from "../options/fetch-options.ts";
import { describeAnonymous, describeMissingToken, findToken, requireToken } from "../settings/credentials.ts";
import { findBaseUrl, type Settings } from "../settings/settings.ts";
import { type ClientEvent, type ClientOptions, createClient } from "./client.ts";
import { ignoresAllProxy } from "./connections.ts";
import { DEFAULT_RETRY, describeRetry } from "./retry.ts";
import type { Source } from "./source.ts";

export interface Service {
  readonly client: Source;
  /** The account that the responses belong to; undefined for the sandbox, whose address changes with each run. */
  readonly account?: Account;
  /** `done`: true if no request is pending. */
  close(done: boolean): Promise<void>;
}

/** Responses may differ between accounts of a service. */
export interface Account {
  /** The base address. */
  readonly service: string;
  /** Undefined if requests are sent without one. */
  readonly token: string | undefined;
}

interface Watch {
  readonly report: Report;
  readonly onEvent?: (event: ClientEvent) => void;
}

type Opening = Watch & Surroundings & { readonly command: CommandName };

export type RequestValues = Pick<FetchValues, "timeout" | "retries" | "maxBody">;

const OR_SANDBOX = `\nor use ${FETCH_FLAGS.sandbox}: synthetic data, no account needed`;

/**
 * Makes no connection. @throws {EntsError} authentication: a required token is missing, its command failed, or a token
 * would be sent unencrypted.
 */
export async function openService(values: FetchValues, settings: Settings, opening: Opening): Promise<Service> {
  if (values.sandbox) return openSandboxService(values, opening);
  const { command, context, report } = opening;
  const baseUrl = findBaseUrl(values.baseUrl, settings);
  const isPublic = PUBLIC_COMMANDS.includes(command);
  const token = isPublic
    ? await findToken(baseUrl, settings, context)
    : await requireToken(baseUrl, { settings, context }, OR_SANDBOX);
  if (token) report.detail(`token ${token.source}`);
  else report.note(describeAnonymous(baseUrl));
  if (ignoresAllProxy(baseUrl, context.env))
    report.note("ALL_PROXY is not used; to use a proxy, set HTTPS_PROXY=http://host:port");
  const credential = token ?? describeMissingToken(baseUrl, OR_SANDBOX);
  const client = createClient(
    { ...chooseOptions(values, opening), rate: values.rate, baseUrl, token: credential },
    context,
  );
  // After the last response, leaves idle connections open: ending them takes 2 ms.
  return { client, account: { service: baseUrl.href, token: token?.value }, close: (done) => client.close(done) };
}

async function openSandboxService(values: FetchValues, opening: Opening): Promise<Service> {
  const { startSandbox } = await import("../sandbox/sandbox.ts");
  const { context, report } = opening;
  const sandbox = await startSandbox({ now: context.now });
  report.note(`synthetic data (${FETCH_FLAGS.sandbox})`);
  if (values.cache !== undefined && values.cache !== "off")
    report.note(`${FETCH_FLAGS.cache} has no effect with ${FETCH_FLAGS.sandbox}: its responses are never stored`);
  const token = { value: sandbox.token, source: "of the sandbox", replace: "run the command again" };
  const options = { ...chooseOptions(values, opening), rate: values.rate, baseUrl: new URL(sandbox.baseUrl), token };
  // With an empty env, proxy variables are ignored: the sandbox is on this machine.
  const client = createClient(options, { ...context, env: {} });
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

/** Fetches JSON from one path of a service, over separate connections. @throws {EntsError} as `Client.getJson`. */
export async function fetchJson(
  path: string,
  { baseUrl, token, ...values }: RequestValues & Pick<ClientOptions, "baseUrl" | "token">,
  { context, report, onEvent }: Surroundings & Pick<Watch, "onEvent">,
): Promise<Json> {
  const client = createClient(
    { ...chooseOptions(values, onEvent ? { report, onEvent } : { report }), baseUrl, token },
    context,
  );
  try {
    return await client.getJson(path);
  } finally {
    await client.close();
  }
}

function chooseOptions({ retries, timeout, maxBody }: RequestValues, { report, onEvent }: Watch) {
  const warn = warnOnce(report.warn);
  return {
    retry: { ...DEFAULT_RETRY, retries },
    timeoutMs: timeout,
    maxBody,
    onEvent: (event: ClientEvent) => {
      if (event.type === "remark") warn(`the service says: ${event.text}`);
      else report.detail(describeEvent(event));
      onEvent?.(event);
    },
  };
}

function describeEvent(event: Exclude<ClientEvent, { readonly type: "remark" }>): string {
  switch (event.type) {
    case "request":
      return `GET ${event.url}${event.attempt > 1 ? ` (try ${event.attempt})` : ""}`;
    case "response":
      return `HTTP ${event.status}, ${formatNumber(event.bytes)} bytes in ${event.ms} ms`;
    case "retry":
      return describeRetry(event);
  }
}
