/** What tools say: fields and calls in place of flags and commands, for every mistake that the golden files know. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { check } from "../../src/commands/check.ts";
import { facilities, market, network } from "../../src/commands/data.ts";
import { list } from "../../src/commands/list.ts";
import { log } from "../../src/commands/log.ts";
import { metrics } from "../../src/commands/metrics.ts";
import { listKeys } from "../../src/mcp/tools.ts";
import { type Call, readCall, toToolMessage } from "../../src/mcp/words.ts";
import { draws, FULL } from "../support/extent.ts";
import { type GoldenBlock, readGolden } from "../support/golden.ts";
import { type Served, serve } from "../support/mcp-client.ts";
import { SEED } from "../support/random.ts";
import { createHome } from "../support/run-ents.ts";
import { openService } from "../e2e/services.ts";

const VOCABULARY = { commands: { network, facilities, market, list, metrics, log, check }, keys: listKeys(true) };
const GOLDEN = fileURLToPath(new URL("../golden", import.meta.url));

/** A flag, or a command that is not for people alone. */
const SHELL = /(^|[\s'"(])--?[a-z]|\bents (network|facilities|market|list|metrics|log|check|update|show)\b/;

let served: Served;

beforeAll(async () => {
  served = await serve(createHome(), ["--sandbox"]);
});

/** The texts of messages that a client reads. */
function listTexts(messages: readonly object[]): string[] {
  return messages.flatMap((message) => {
    // What was sent may be anything.
    const { value: _, ...said } = message as Record<string, unknown>;
    return Object.values(said).flat().map(String);
  });
}

/** The calls that commands stand for; what tools cannot do is left out. */
function listCalls(blocks: readonly GoldenBlock[]): readonly Call[] {
  const lines = blocks.flatMap(({ commands }) => commands.map((line) => line.slice("$ ".length)));
  const known = lines.filter(
    (line) => /^ents (network|market|facilities|list|metrics) /.test(line) && !/[|<>;$@]/.test(line),
  );
  return [...new Set(known)].flatMap((line) => readCall(line, VOCABULARY) ?? []);
}

/** What is not in words of tools, or too long, in the answer of a call. */
async function findShellWords({ call }: Served, { tool, input }: Call): Promise<readonly object[]> {
  const { result, characters } = await call(tool, { ...input, max_requests: undefined });
  const said = listTexts(result.messages).filter((text) => SHELL.test(text.replace(/'ents login[^']*'/g, "")));
  return said.length > 0 || characters > 40_000 ? [{ tool, input, said, characters }] : [];
}

const BLOCKS = readdirSync(GOLDEN)
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => readGolden(join(GOLDEN, name)))
  .filter(({ text }) => text.includes("[standard error]"));

test("the mistakes of the golden files name fields and calls", async () => {
  const calls = listCalls(BLOCKS.filter(({ service }) => service === undefined));
  expect(calls.length).toBeGreaterThan(100);
  for (const call of calls) expect(await findShellWords(served, call)).toEqual([]);
});

test.runIf(FULL)("so do those that a service brings about", async () => {
  const blocks = BLOCKS.filter(({ service }) => service !== undefined && service !== "silent");
  for (const block of blocks) {
    const calls = listCalls([block]);
    if (calls.length === 0) continue;
    const own = await serve(createHome(), [], { env: await openService(block) });
    for (const call of calls) expect(await findShellWords(own, call)).toEqual([]);
    await own.client.close();
  }
});

test.each([
  ["see 'ents metrics' for all", "see list_metrics for all"],
  ["use -r NSW1", "use network_region NSW1"],
  ["swap --date-start and --date-end", "swap date_start and date_end"],
  ["'ents market' has no --fueltech; 'ents network' has it", "get_market has no fueltech; get_network has it"],
  [
    "see 'ents list facilities --network NEM --sandbox' for all codes",
    'see find_codes {"list":"facilities","network":["NEM"]} for all codes',
  ],
  [
    "for percentages: ents network NEM -m share -g fueltech -i 1M",
    'for percentages: get_network {"network":"NEM","metrics":["share"],"group_by":["fueltech"],"interval":"1M"}',
  ],
  ["run 'ents login' again", "run 'ents login' in a shell again"],
  ["use --allow-unknown to send it anyway", undefined],
  ["try again later, or allow more time with --timeout", undefined],
])("%s", (step, said) => {
  const { next_step: next } = toToolMessage(
    { kind: "usage", message: "no", next_step: step },
    { tool: "get_market", input: {} },
    VOCABULARY,
  );
  expect(next).toBe(said);
});

test("whatever the arguments are, a call is answered in words of tools", async () => {
  const { tools } = await served.client.listTools();
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      "1h",
      "1d",
      "NSW1",
      "price",
      "power",
      "2025-01-31",
      "-7d",
      "300",
      "day",
      "region",
      "",
      '["a"',
      "--x",
      "@f",
    ),
  );
  const cases = fc.constantFrom(...tools).chain(({ name, inputSchema }) => {
    const fields = Object.keys(inputSchema.properties ?? {}).filter((field) => field !== "max_requests");
    const arbitrary = fc.dictionary(
      fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fields) }, { weight: 1, arbitrary: fc.string() }),
      anything,
      { maxKeys: 6 },
    );
    const usual = fc.record(
      {
        network: fc.constant("NEM"),
        metrics: fc.constantFrom(["price"], ["power"]),
        interval: fc.constant("1h"),
        last: fc.constant("2h"),
      },
      { requiredKeys: [] },
    );
    return fc
      .tuple(fc.constant(name), usual, arbitrary)
      .map(([tool, base, more]) => ({ tool, input: { ...(fields.includes("network") ? base : {}), ...more } }));
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ tool, input }) => {
      const { result, characters } = await served.call(tool, input);
      expect(characters).toBeLessThanOrEqual(40_000);
      const quoted = JSON.stringify(input);
      const said = listTexts(result.messages).filter(
        (text) => SHELL.test(text) && !quoted.includes("--") && !/"[^"]*-[a-z]/.test(text),
      );
      expect(said).toEqual([]);
    }),
    { numRuns: draws(FULL ? 300 : 120, 2000), seed: SEED },
  );
});
