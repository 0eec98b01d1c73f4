import { askToken } from "../cli/ask-token.ts";
import { defineCommand } from "../cli/command.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import type { OptionTable } from "../options/spec.ts";

const { baseUrl, timeout, retries } = FETCH_OPTIONS;
const OPTIONS = {
  verify: { negated: true, help: "store the token without asking the service about it", schema: "flag" },
  baseUrl,
  timeout,
  retries,
} as const satisfies OptionTable;

export const login = defineCommand({
  options: { Login: OPTIONS },
  examples: [
    { command: "ents login", does: "asks for the token, and shows none of it" },
    { command: "pass show openelectricity | ents login", does: "takes it from another program, one line" },
  ],
  run: async ({ options, context, report }) => {
    const [{ describePath, findBaseUrl, loadSettings, saveSettings }, { checkToken, checkTransport }] = await Promise.all([
      import("../settings/settings.ts"),
      import("../settings/credentials.ts"),
    ]);
    const settings = await loadSettings(context);
    const address = findBaseUrl(options.baseUrl, settings);
    checkTransport(address);
    const token = checkToken(await askToken(address.origin, context), "standard input");
    if (options.verify) {
      const { readAccount } = await import("../source/account.ts");
      const account = await readAccount({ baseUrl: address, token }, { context, report, fetch: options });
      report.note(
        account ? describeAccepted(address, account.plan) : `${address.origin} cannot say whether it is good; it was not checked`,
      );
    }
    await saveSettings(settings, (stored) => ({ ...stored, tokens: { ...stored.tokens, [address.origin]: token } }), context);
    report.note(`the token for ${address.origin} is kept in ${describePath(settings)}`);
  },
});

function describeAccepted({ origin }: URL, plan: string | undefined): string {
  return `${origin} accepts it${plan ? ` (plan ${plan})` : ""}`;
}
