/** Stores the help of every command during the build, so that it need not be generated at each start (src/main/at-once.ts). */
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
    // Not from the bundle: it runs as soon as it is loaded, and the names of its chunks are not known.
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
      for (const columns of HELP_WIDTHS) {
        const [whole, brief] = await Promise.all(["--help", "-h"].map((flag) => captureHelp(main, [...words, flag], { version, columns })));
        const name = join(target, ["ents", ...words].join("-"));
        writeFileSync(`${name}.${columns}.txt`, whole);
        if (brief !== whole) writeFileSync(`${name}-h.${columns}.txt`, brief);
      }
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
