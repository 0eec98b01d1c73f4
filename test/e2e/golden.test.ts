/** Runs every command of every golden file and compares the output (test/support/texts.ts). */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, test } from "vitest";
import { FULL, isDueNow } from "../support/extent.ts";
import { type GoldenBlock, readGolden, runBlock } from "../support/golden.ts";
import { isForeign } from "../support/run-line.ts";
import { expectText, replaceBlocks, WRITES_TEXTS } from "../support/texts.ts";
import { openService } from "./services.ts";

const FOLDER = fileURLToPath(new URL("../golden", import.meta.url));

describe.concurrent.each(readdirSync(FOLDER).filter((name) => name.endsWith(".md")))("%s", (name) => {
  const path = join(FOLDER, name);
  const texts = new Map<GoldenBlock, string>();

  // A quick run does not wait for a timeout.
  const blocks = readGolden(path).filter(
    ({ commands, service }) =>
      isDueNow(commands) &&
      (FULL || service !== "silent") &&
      !commands.some((command) => isForeign(command.replaceAll(/^[$>] /gm, ""))),
  );
  test.concurrent.for(blocks.map((block) => ({ name: `line ${block.from}: ${block.title}`, block })))(
    "$name",
    async ({ block }) => {
      const text = await runBlock(block, await openService(block));
      texts.set(block, text);
      expectText(text, block.text);
    },
  );

  afterAll(() => {
    if (WRITES_TEXTS) replaceBlocks(path, texts);
  });
});
