/** Every command of every golden file says what the file says. `UPDATE_GOLDEN=1` writes the files anew: read them before you believe them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { type GoldenBlock, readGolden, runBlock, writeGolden } from "../support/golden.ts";
import { startService } from "../support/scripted-service.ts";
import { TOKEN } from "./envelopes.ts";
import { SERVICES } from "./services.ts";

const FOLDER = fileURLToPath(new URL("../golden", import.meta.url));
const UPDATE = process.env["UPDATE_GOLDEN"] === "1";

describe.each(readdirSync(FOLDER).filter((name) => name.endsWith(".md")))("%s", (name) => {
  const path = join(FOLDER, name);
  const texts = new Map<GoldenBlock, string>();

  test.concurrent.for(readGolden(path).map((block) => ({ name: `line ${block.from}: ${block.title}`, block })))(
    "$name",
    async ({ block }) => {
      const text = await runBlock(block, await openService(block));
      texts.set(block, text);
      expect(text).toBe(UPDATE ? text : block.text);
    },
  );

  afterAll(() => {
    if (UPDATE) writeGolden(path, texts);
  });
});

async function openService({ service }: GoldenBlock): Promise<Record<string, string>> {
  if (service === undefined) return {};
  const script = SERVICES[service];
  if (script === undefined) throw new Error(`services.ts has no service ${service}`);
  return { ENTS_BASE_URL: (await startService(script)).url, ENTS_TOKEN: TOKEN };
}
