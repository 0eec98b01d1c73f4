import type { CommandSpec, Invocation } from "../cli/command.ts";
import { CONFIG_KEYS, findConfigKey } from "../settings/config-keys.ts";
import { openStore } from "../settings/store.ts";
import { usageError } from "../base/errors.ts";
import { escapeControls } from "../base/terminal.ts";

const NOTES = { Keys: Object.entries(CONFIG_KEYS).map(([name, { help }]) => `${name.padEnd(12)} ${help}`) };

export const config: CommandSpec = {
  examples: [
    { command: "ents config set base-url https://api.example.org", does: "another v4 service" },
    { command: "ents config set max-window 30d", does: "a paid key's longest window at five minutes" },
    { command: "ents config list", does: "all that is set" },
  ],
  notes: NOTES,
  subcommands: [
    { name: "get", summary: "print a setting", arguments: ["<key>"], notes: NOTES, run: getSetting },
    { name: "set", summary: "keep a setting", arguments: ["<key>", "<value>"], notes: NOTES, run: setSetting },
    { name: "unset", summary: "forget a setting", arguments: ["<key>"], notes: NOTES, run: unsetSetting },
    { name: "list", summary: "print all settings", run: listSettings },
    { name: "path", summary: "print where settings and tokens are kept", run: printPath },
  ],
};

async function getSetting({ arguments: [key], context }: Invocation): Promise<void> {
  const name = requireArgument(key, "key");
  findConfigKey(name);
  const { config: settings } = await (await openStore(context.env)).read();
  const value = settings[name];
  if (value === undefined) throw usageError(`${name} is not set`, `set it with 'ents config set ${name} <value>'`);
  context.stdout.stream.write(`${escapeControls(value)}\n`);
}

async function setSetting({ arguments: [key, value], context, report }: Invocation): Promise<void> {
  const name = requireArgument(key, "key");
  const kept = findConfigKey(name).parse(requireArgument(value, "value"));
  const store = await openStore(context.env);
  const stored = await store.read();
  await store.write({ ...stored, config: { ...stored.config, [name]: kept } });
  report.note(`${name} is ${kept}, kept in ${store.path}`);
}

async function unsetSetting({ arguments: [key], context, report }: Invocation): Promise<void> {
  const name = requireArgument(key, "key");
  findConfigKey(name);
  const store = await openStore(context.env);
  const stored = await store.read();
  const { [name]: dropped, ...settings } = stored.config;
  if (dropped === undefined) return report.note(`${name} was not set`);
  await store.write({ ...stored, config: settings });
  report.note(`${name} is no longer set`);
}

async function listSettings({ context }: Invocation): Promise<void> {
  const { config: settings } = await (await openStore(context.env)).read();
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  for (const line of lines) context.stdout.stream.write(`${escapeControls(line)}\n`);
}

async function printPath({ context }: Invocation): Promise<void> {
  context.stdout.stream.write(`${(await openStore(context.env)).path}\n`);
}

function requireArgument(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw usageError(`the ${name} is missing`, `keys: ${Object.keys(CONFIG_KEYS).join(", ")}`);
}
