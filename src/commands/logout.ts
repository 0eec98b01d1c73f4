import { defineCommand } from "../cli/command.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";

export const logout = defineCommand({
  options: { Logout: { baseUrl: FETCH_OPTIONS.baseUrl } },
  examples: [{ command: "ents logout", does: "delete the token of the base address" }],
  run: async ({ options, context, report }) => {
    const { describePath, findBaseUrl, loadSettings, saveSettings } = await import("../settings/settings.ts");
    const settings = await loadSettings(context);
    const { origin } = findBaseUrl(options.baseUrl, settings);
    if (settings.tokens[origin] === undefined) return report.note(`no token is stored for ${origin}`);
    await saveSettings(settings, ({ tokens: { [origin]: _deleted, ...rest }, ...stored }) => ({ ...stored, tokens: rest }), context);
    report.note(`token for ${origin} deleted from ${describePath(settings)}`);
  },
});
