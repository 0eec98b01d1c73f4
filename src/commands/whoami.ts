import type { CommandSpec, Invocation } from "../cli/command.ts";
import { findBaseUrl, requireToken } from "../settings/credentials.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { parseOptions } from "../options/parse.ts";
import { readAccount } from "../source/account.ts";
import { escapeControls } from "../base/terminal.ts";

const { baseUrl, timeout, retries } = FETCH_OPTIONS;
const OPTIONS = { baseUrl, timeout, retries };

export const whoami: CommandSpec = {
  options: { Whoami: OPTIONS },
  examples: [{ command: "ents whoami", does: "service, token (its last four characters), plan and credits left" }],
  run: showAccount,
};

async function showAccount({ values, context, report }: Invocation): Promise<void> {
  const options = parseOptions(OPTIONS, values);
  const address = await findBaseUrl(options.baseUrl, context.env);
  const token = await requireToken(address, context.env);
  const show = (name: string, value: string | undefined) =>
    value === undefined ? undefined : context.stdout.stream.write(`${name.padEnd(8)} ${escapeControls(value)}\n`);
  show("service", address.origin);
  show("token", `${maskToken(token.value)} from ${token.source}`);
  const account = await readAccount({ baseUrl: address, token: token.value }, { context, report, fetch: options });
  show("plan", account?.plan);
  show("credits", account?.creditsLeft === undefined ? undefined : `${account.creditsLeft} left today`);
  if (!account) report.note(`${address.origin} does not say whose token it is`);
}

/** A token too short for four of its characters to be few of it shows none. */
function maskToken(token: string): string {
  return token.length >= 12 ? `...${token.slice(-4)}` : "...";
}
