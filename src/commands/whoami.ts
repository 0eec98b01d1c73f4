import { escapeControls } from "../base/terminal.ts";
import { defineCommand } from "../cli/command.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { requireToken } from "../settings/credentials.ts";
import { findBaseUrl, loadSettings } from "../settings/settings.ts";

const { baseUrl, timeout, retries } = FETCH_OPTIONS;

export const whoami = defineCommand({
  options: { Whoami: { baseUrl, timeout, retries } },
  examples: [{ command: "ents whoami", does: "service, token (its last four characters), plan and credits left" }],
  run: async ({ options, context, report }) => {
    const settings = await loadSettings(context);
    const address = findBaseUrl(options.baseUrl, settings);
    const token = requireToken(address, settings);
    const show = (name: string, value: string | undefined) =>
      value === undefined ? undefined : context.stdout.stream.write(`${name.padEnd(8)} ${escapeControls(value)}\n`);
    show("service", address.origin);
    show("token", `${maskToken(token.value)} from ${token.source}`);
    const { readAccount } = await import("../source/account.ts");
    const account = await readAccount({ baseUrl: address, token: token.value }, { context, report, fetch: options });
    show("plan", account?.plan);
    show("credits", account?.creditsLeft === undefined ? undefined : `${account.creditsLeft} left today`);
    if (!account) report.note(`${address.origin} does not say whose token it is`);
  },
});

/** A token too short for four of its characters to be few of it shows none. */
function maskToken(token: string): string {
  return token.length >= 12 ? `...${token.slice(-4)}` : "...";
}
