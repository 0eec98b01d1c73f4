import type { CommandSpec, Invocation } from "../cli/command.ts";
import { findBaseUrl } from "../settings/credentials.ts";
import { openStore } from "../settings/store.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { parseOptions } from "../options/parse.ts";

const OPTIONS = { baseUrl: FETCH_OPTIONS.baseUrl };

export const logout: CommandSpec = {
  options: { Logout: OPTIONS },
  examples: [{ command: "ents logout", does: "forget the token of the base address" }],
  run: logOut,
};

async function logOut({ values, context, report }: Invocation): Promise<void> {
  const { origin } = await findBaseUrl(parseOptions(OPTIONS, values).baseUrl, context.env);
  const store = await openStore(context.env);
  const stored = await store.read();
  const { [origin]: dropped, ...tokens } = stored.tokens;
  if (dropped === undefined) return report.note(`no token is stored for ${origin}`);
  await store.write({ ...stored, tokens });
  report.note(`the token for ${origin} is removed from ${store.path}`);
}
