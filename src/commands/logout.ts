import { defineCommand } from "../cli/command.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { TOKEN_COMMAND } from "../settings/config-keys.ts";

export const logout = defineCommand({
  options: { Logout: { baseUrl: FETCH_OPTIONS.baseUrl } },
  examples: [{ command: "ents logout", does: "delete the token of the base address" }],
  run: async ({ options, context, report }) => {
    const [{ describePath, findBaseUrl, loadSettings, saveSettings }, { replaceToken, findTokenCommand }] =
      await Promise.all([import("../settings/settings.ts"), import("../settings/credentials.ts")]);
    const settings = await loadSettings(context);
    const address = findBaseUrl(options.baseUrl, settings);
    const { origin } = address;
    const others = [
      ...(context.env["ENTS_TOKEN"] ? ["ENTS_TOKEN"] : []),
      ...(findTokenCommand(address, settings) ? [TOKEN_COMMAND] : []),
    ].map((name) => `${name} is set and is still used`);
    if (settings.tokens[origin] === undefined) return report.note(`no token is stored for ${origin}`, ...others);
    await saveSettings(settings, (stored) => replaceToken(stored, address), context);
    report.note(`token for ${origin} deleted from ${describePath(settings)}`, ...others);
  },
});
