import { type CommandSpec, defineCommand } from "../cli/command.ts";
import { formatHelpTerms } from "../cli/help.ts";
import { CONFIG_KEYS, findConfigKey } from "../settings/config-keys.ts";
import { usageError } from "../base/errors.ts";
import { escapeControls } from "../base/terminal.ts";
import { describeOption } from "../options/spec.ts";

/** Loads zod, which completion does not need. */
const importSettings = () => import("../settings/settings.ts");

const notes = {
  Keys: formatHelpTerms(Object.entries(CONFIG_KEYS).map(([name, spec]) => [name, describeOption(spec)])),
};
const hint = `keys: ${Object.keys(CONFIG_KEYS).join(", ")}`;
const KEY = { name: "key", choices: Object.keys(CONFIG_KEYS), hint } as const;

const get = defineCommand({
  arguments: [KEY],
  notes,
  run: async ({ arguments: [key], context }) => {
    findConfigKey(key);
    const { loadSettings } = await importSettings();
    const value = (await loadSettings(context)).config[key];
    if (value === undefined) throw usageError(`${key} is not set`, `set it with 'ents config set ${key} <value>'`);
    context.stdout.stream.write(`${escapeControls(value)}\n`);
  },
});

const set = defineCommand({
  arguments: [KEY, { name: "value", kind: "setting", hint: `use 'ents config set <key> <value>'; ${hint}` }],
  notes,
  run: async ({ arguments: [key, value], context, report }) => {
    const spec = findConfigKey(key);
    const { describePath, formatSetting, loadSettings, saveSettings } = await importSettings();
    const text = formatSetting(key, spec, value);
    const settings = await loadSettings(context);
    await saveSettings(settings, (stored) => ({ ...stored, config: { ...stored.config, [key]: text } }), context);
    report.note(`${key} set to ${text} in ${describePath(settings)}`);
  },
});

const unset = defineCommand({
  arguments: [KEY],
  notes,
  run: async ({ arguments: [key], context, report }) => {
    findConfigKey(key);
    const { loadSettings, saveSettings } = await importSettings();
    const settings = await loadSettings(context);
    if (settings.config[key] === undefined) return report.note(`${key} is not set`);
    await saveSettings(
      settings,
      ({ config: { [key]: _deleted, ...rest }, ...stored }) => ({ ...stored, config: rest }),
      context,
    );
    report.note(`${key} unset`);
  },
});

const list = defineCommand({
  run: async ({ context, report }) => {
    const { loadSettings } = await importSettings();
    const settings = Object.entries((await loadSettings(context)).config);
    for (const [key, value] of settings) context.stdout.stream.write(`${escapeControls(`${key}=${value}`)}\n`);
    if (settings.length === 0) report.note("no settings; see 'ents config --help' for the keys");
  },
});

const path = defineCommand({
  run: async ({ context }) => {
    const { describePath, loadSettings } = await importSettings();
    context.stdout.stream.write(`${describePath(await loadSettings(context))}\n`);
  },
});

export const config: CommandSpec = {
  examples: [
    { command: "ents config set base-url https://api.example.org", does: "use another v4 service" },
    {
      command: "ents config set max-window 30d",
      does: "the maximum window of a paid key at 5m; also splits 1h, 1d and 7d",
    },
    { command: "ents config set cache 12h", does: "reuse responses of the last 12 hours" },
    { command: `ents config set token-command "pass show openelectricity"`, does: "get the token from a keychain" },
    { command: "ents config list", does: "all settings" },
  ],
  notes,
  subcommands: [
    { name: "get", summary: "print a setting", ...get },
    { name: "set", summary: "change a setting", ...set },
    { name: "unset", summary: "delete a setting", ...unset },
    { name: "list", summary: "print all settings", ...list },
    { name: "path", summary: "print the path of the config file", ...path },
  ],
};
