/** Prints the help of every command once, so that no start has to: it is the same each time (src/main/at-once.ts). */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";
import { captureHelp } from "../capture-help.mjs";

export async function writeHelp(root) {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "ents-help-"));
  try {
    // The bundle runs as soon as it is loaded, and its chunks have no names that could be asked for.
    const input = {
      main: join(root, "src/main/main.ts"),
      all: join(root, "src/commands/all.ts"),
      width: join(root, "src/cli/help-width.ts"),
    };
    await build({ input, platform: "node", logLevel: "warn", output: { dir: folder, entryFileNames: "[name].mjs" } });
    const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    const [{ main }, { COMMANDS }, { HELP_WIDTHS }] = await Promise.all(["main", "all", "width"].map(load));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const target = join(root, "dist/command/help");
    mkdirSync(target, { recursive: true });
    for (const words of [[], ...(await listCommands(COMMANDS))])
      for (const columns of HELP_WIDTHS)
        writeFileSync(join(target, `${["ents", ...words].join("-")}.${columns}.txt`), await captureHelp(main, words, { version, columns }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function listCommands(entries, parents = []) {
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const { subcommands = [] } = entry.load ? await entry.load() : entry;
      const words = [...parents, entry.name];
      return [words, ...(await listCommands(subcommands, words))];
    }),
  );
  return lists.flat();
}
