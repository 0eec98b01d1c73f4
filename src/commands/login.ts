import type { CommandSpec, Invocation } from "../cli/command.ts";
import { askToken } from "../cli/ask-token.ts";
import { checkToken, checkTransport, findBaseUrl } from "../settings/credentials.ts";
import { openStore } from "../settings/store.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { parseOptions } from "../options/parse.ts";
import type { OptionTable } from "../options/spec.ts";
import { readAccount } from "../source/account.ts";

const { baseUrl, timeout, retries } = FETCH_OPTIONS;
const OPTIONS = {
  verify: { negated: true, help: "store the token without asking the service about it", schema: "flag" },
  baseUrl,
  timeout,
  retries,
} as const satisfies OptionTable;

export const login: CommandSpec = {
  options: { Login: OPTIONS },
  examples: [
    { command: "ents login", does: "asks for the token, and shows none of it" },
    { command: "pass show openelectricity | ents login", does: "takes it from another program, one line" },
  ],
  run: logIn,
};

async function logIn({ values, context, report }: Invocation): Promise<void> {
  const options = parseOptions(OPTIONS, values);
  const address = await findBaseUrl(options.baseUrl, context.env);
  checkTransport(address);
  const store = await openStore(context.env);
  const stored = await store.read();
  const token = checkToken(await askToken(address.origin, context), "standard input");
  if (options.verify !== false) await verifyToken();
  await store.write({ ...stored, tokens: { ...stored.tokens, [address.origin]: token } });
  report.note(`the token for ${address.origin} is kept in ${store.path}`);

  async function verifyToken(): Promise<void> {
    const account = await readAccount({ baseUrl: address, token }, { context, report, fetch: options });
    report.note(
      account
        ? `${address.origin} accepts it${account.plan ? ` (plan ${account.plan})` : ""}`
        : `${address.origin} cannot say whether it is good; it was not checked`,
    );
  }
}
