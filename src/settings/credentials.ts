/** The token of a service: from the environment, printed by a command, or stored for its origin. */
import type { Context } from "../base/context.ts";
import { EntsError } from "../base/errors.ts";
import { DEFAULT_BASE_URL, PLATFORM_URL } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { TOKEN_COMMAND } from "./config-keys.ts";
import { describePath, readConfig, type Settings, type StoredSettings } from "./settings.ts";
import { checkToken, checkTransport, type MissingToken, type Token, TOKEN_VARIABLES } from "./token.ts";

/**
 * The token for a base address: from the environment, else from the command of the configured service, else the one
 * stored for its origin; undefined if there is none.
 * @throws {EntsError} authentication: it is not valid, would be sent unencrypted, or its command failed.
 */
export async function findToken(baseUrl: URL, settings: Settings, context: Context): Promise<Token | undefined> {
  if (!hasToken(baseUrl, settings)) return undefined;
  checkTransport(baseUrl);
  const variable = findVariable(settings);
  if (variable) {
    const source = `from ${variable.name}`;
    return { value: checkToken(variable.value, source), source, replace: `replace it in ${variable.name}` };
  }
  const command = findTokenCommand(baseUrl, settings);
  const [value = "", source, replace] =
    command === undefined
      ? [
          settings.tokens[baseUrl.origin],
          `stored in ${describePath(settings)}`,
          `replace it with '${loginCommand(baseUrl)}'`,
        ]
      : [await printToken(command, settings, context), `from the ${TOKEN_COMMAND}`, `replace what '${command}' prints`];
  return { value: checkToken(value, source, replace), source, replace };
}

/** The command is run once for the settings of a run. */
async function printToken(command: string, settings: Settings, context: Context): Promise<string> {
  const { runTokenCommand } = await import("./token-command.ts");
  const printed = PRINTED.get(settings) ?? runTokenCommand(command, context);
  PRINTED.set(settings, printed);
  return printed;
}

const PRINTED = new WeakMap<Settings, Promise<string>>();

/** Whether there is a token for a base address, valid or not. */
export function hasToken(baseUrl: URL, settings: Settings): boolean {
  return findVariable(settings) !== undefined || isKept(baseUrl, settings);
}

/** Whether the settings have a token for an address, or a command that prints it. */
function isKept(baseUrl: URL, settings: Settings): boolean {
  return settings.tokens[baseUrl.origin] !== undefined || findTokenCommand(baseUrl, settings) !== undefined;
}

/** The command for the token of the configured service. Its token is for no other. */
export function findTokenCommand({ origin }: URL, settings: Settings): string | undefined {
  const command = settings.config[TOKEN_COMMAND];
  if (command === undefined) return undefined;
  const configured = readConfig("baseUrl", settings)?.origin ?? DEFAULT_BASE_URL;
  return origin === configured ? command : undefined;
}

function findVariable({ env }: Settings): { name: string; value: string } | undefined {
  return TOKEN_VARIABLES.map((name) => ({ name, value: env[name]?.trim() ?? "" })).find(({ value }) => value !== "");
}

/** The plan of the key in use; undefined unless `ents login` or `ents whoami` stored it. */
export function findPlan(baseUrl: URL, settings: Settings): string | undefined {
  return hasPlan(baseUrl, settings) ? settings.plans?.[baseUrl.origin] : undefined;
}

/** Whether the plan of the key in use can be stored: that of the environment may be another with each run. */
export function hasPlan(baseUrl: URL, settings: Settings): boolean {
  return !findVariable(settings) && isKept(baseUrl, settings);
}

/** The stored settings with a service's token and plan replaced, or removed if `token` is undefined. */
export function replaceToken(
  stored: StoredSettings,
  baseUrl: URL,
  token?: { value: string; plan: string | undefined },
): StoredSettings {
  const { [baseUrl.origin]: _token, ...others } = stored.tokens;
  const tokens = token ? { ...others, [baseUrl.origin]: token.value } : others;
  return { ...replacePlan(stored, baseUrl, token?.plan), tokens };
}

export function replacePlan(stored: StoredSettings, { origin }: URL, plan: string | undefined): StoredSettings {
  const { [origin]: _plan, ...others } = stored.plans ?? {};
  const plans = plan ? { ...others, [origin]: plan } : others;
  return { ...stored, plans: Object.keys(plans).length > 0 ? plans : undefined };
}

/**
 * @throws {EntsError} authentication: there is no token (`otherwise` extends the hint), or it would be sent
 * unencrypted.
 */
export async function requireToken(
  baseUrl: URL,
  { settings, context }: { readonly settings: Settings; readonly context: Context },
  otherwise?: string,
): Promise<Token> {
  // Checked even without a token, since a token stored for this address would be refused.
  checkTransport(baseUrl);
  const token = await findToken(baseUrl, settings, context);
  if (token) return token;
  const { message, hint } = describeMissingToken(baseUrl, otherwise);
  throw new EntsError("authentication", message, { hint });
}

export function describeMissingToken(baseUrl: URL, otherwise = ""): MissingToken {
  const get = isPublic(baseUrl) ? `get one at ${PLATFORM_URL}, then ` : "";
  return {
    value: undefined,
    message: `no token for ${baseUrl.origin}`,
    hint: `${get}run '${loginCommand(baseUrl)}' or set ENTS_TOKEN${otherwise}`,
  };
}

export function describeAnonymous(baseUrl: URL): string {
  return `no token: asking anonymously, community limits; ${loginCommand(baseUrl)} for more`;
}

function loginCommand(baseUrl: URL): string {
  return isPublic(baseUrl) ? "ents login" : `ents login ${FETCH_FLAGS.baseUrl} ${baseUrl.href.replace(/\/$/, "")}`;
}

export function isPublic({ origin }: URL): boolean {
  return origin === DEFAULT_BASE_URL;
}
