/**
 * What a person sees: the tables of queries.md, each on a terminal of its size, one minute past six on 25 November
 * 2026.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { measureCells } from "../../src/format/text-width.ts";
import { TOKEN } from "../e2e/envelopes.ts";
import { isDueNow } from "../support/extent.ts";
import { type GoldenBlock, readGolden } from "../support/golden.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { expectText, replaceBlocks, WRITES_TEXTS } from "../support/texts.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { TABLE_SERVICES } from "./services.ts";

const PATH = join(fileURLToPath(new URL(".", import.meta.url)), "queries.md");
const BLOCKS = readGolden(PATH).filter(({ commands }) => isDueNow(commands));
/** In network time: 2026-11-25 18:01. */
const NOW = Date.UTC(2026, 10, 25, 8, 1);

/** A prompt takes the last line. */
const PROMPT = "$";

async function show({ commands: [command = ""], screen = "", service }: GoldenBlock): Promise<readonly string[]> {
  const [columns = 0, rows = 0] = screen.split("x").map(Number);
  const script = service === undefined ? undefined : TABLE_SERVICES[service];
  const address = script ? { ENTS_BASE_URL: (await startService(script)).url, ENTS_TOKEN: TOKEN } : {};
  // Progress would be drawn over and cleared.
  const args = [...command.split(" ").slice(2), ...(command.includes(" list ") ? [] : ["--no-progress"])];
  const { stdout } = await createHome().run(script ? args : [...args, "--sandbox"], {
    columns,
    rows,
    colors: false,
    together: true,
    env: { ...address, LC_ALL: "C.UTF-8" },
    clock: createVirtualClock(0, () => NOW),
  });
  return stdout.split("\n").with(-1, PROMPT);
}

describe("the screen after", () => {
  const texts = new Map<GoldenBlock, string>();

  test.for(BLOCKS.map((block) => ({ name: `${block.screen}: ${block.commands.join()} (line ${block.from})`, block })))(
    "$name",
    async ({ block }) => {
      const lines = await show(block);
      const [columns = 0, rows = 0] = (block.screen ?? "").split("x").map(Number);
      expect(lines.filter((line) => measureCells(line) > columns)).toEqual([]);
      expect(lines.length).toBeLessThanOrEqual(rows);
      texts.set(block, [block.commands[0], ...lines].join("\n"));
      expectText(texts.get(block) ?? "", block.text);
    },
  );

  afterAll(() => {
    if (WRITES_TEXTS) replaceBlocks(PATH, texts);
  });
});
