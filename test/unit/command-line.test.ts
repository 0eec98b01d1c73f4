/** How main reads the command line: flags count exactly where the parser finds them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import type { Context, OutputStream } from "../../src/base/context.ts";
import { EXIT_CODES } from "../../src/base/exit-codes.ts";
import { quote } from "../../src/base/phrases.ts";
import { defineCommand } from "../../src/cli/command.ts";
import { createCommandLine } from "../../src/cli/program.ts";
import { main, printBug } from "../../src/main/main.ts";
import { describeProcess } from "../../src/main/process-context.ts";

const folder = mkdtempSync(join(tmpdir(), "ents-command-line-"));
afterAll(() => rmSync(folder, { recursive: true }));

function createContext(): { context: Context; texts: { stdout: string; stderr: string } } {
  const texts = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr"): OutputStream => ({
    stream: new Writable({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        texts[name] += chunk;
        done();
      },
    }),
    isTerminal: false,
    isPipe: true,
    columns: undefined,
    rows: undefined,
    colors: false,
    colorDepth: 1,
    unicode: true,
  });
  const context: Context = {
    stdin: { stream: new PassThrough().end(), isTerminal: false },
    stdout: output("stdout"),
    stderr: output("stderr"),
    cwd: folder,
    env: { ENTS_TOKEN: "token-of-a-test", ENTS_CONFIG_DIR: "config" },
    version: "1.2.3",
    process: describeProcess(),
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: async () => {},
    random: Math.random,
    signal: new AbortController().signal,
    secrets: new Set(),
    dispatcher: undefined,
  };
  return { context, texts };
}

async function run(line: string) {
  const { context, texts } = createContext();
  const code = await main(line === "" ? [] : line.split(" "), context);
  return { code, ...texts };
}

/** Nobody listens there. */
const FAIL = "-m power --base-url http://127.0.0.1:1 --retries 0";

describe("the causes of an error are printed", () => {
  test.each(["-v", "--verbose", "-qv", "-vq", "-vfcsv", "-f csv -v"])("with %s", async (flags) => {
    const { code, stderr } = await run(`network NEM ${FAIL} ${flags}`);
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining("caused by: ") as string });
  });

  test("with -v before the command, and between a command and its subcommand", async () => {
    expect((await run(`-v network NEM ${FAIL}`)).stderr).toContain("caused by: ");
    expect((await run("config -v get base-url")).code).toBe(2);
  });

  test.each(["-fcsv", "-f=v", "-ov", "-o -v", "--format csv"])("not with %s", async (flags) => {
    expect((await run(`network NEM ${FAIL} ${flags}`)).stderr).not.toContain("caused by: ");
  });

  test("as far as the arguments could be parsed, if they are wrong", async () => {
    const { context } = createContext();
    const line = createCommandLine(
      [{ name: "none", summary: "", load: async () => defineCommand({ run: async () => {} }) }],
      context,
    );
    await expect(line.run(["none", "--bogus", "-v"])).rejects.toThrow("unknown flag --bogus");
    expect(line.has("verbose")).toBe(true);
  });
});

test("commands to paste are quoted for the shell of the platform", () => {
  const words = ["NEM", "a b.csv", "power,price", "@codes.txt", 'he said "no"', "it's"];
  expect(words.map((word) => quote(word, false)).join(" ")).toBe(
    `NEM 'a b.csv' power,price @codes.txt 'he said "no"' 'it'\\''s'`,
  );
  expect(["C:\\data\\a.csv", ...words].map((word) => quote(word, true)).join(" ")).toBe(
    `C:\\data\\a.csv NEM "a b.csv" "power,price" "@codes.txt" "he said ""no""" "it's"`,
  );
});

describe("words and flags", () => {
  test.each([
    ["network NEM --version", "1.2.3\n"],
    ["--version", "1.2.3\n"],
    ["config list --version", "1.2.3\n"],
  ])("%s", async (line, stdout) => {
    expect(await run(line)).toEqual({ code: 0, stdout, stderr: "" });
  });

  test.each([
    ["help network", "Usage: ents network <network_code> [flags]"],
    ["network --help", "Usage: ents network <network_code> [flags]"],
    ["help config set", "Usage: ents config set <key> <value> [flags]"],
    ["config help set", "Usage: ents config set <key> <value> [flags]"],
    ["network help", "Usage: ents network <network_code> [flags]"],
    ["network NEM help", "Usage: ents network <network_code> [flags]"],
    ["metrics help", "Usage: ents metrics [text...] [flags]"],
    ["config set help", "Usage: ents config set <key> <value> [flags]"],
    ["config help", "Usage: ents config <command>"],
    ["help help", "Usage: ents <command> [flags]"],
    ["help --help", "Usage: ents <command> [flags]"],
    ["help", "Usage: ents <command> [flags]"],
    ["", "Usage: ents <command> [flags]"],
  ])("%j prints help", async (line, first) => {
    const { code, stdout, stderr } = await run(line);
    expect({ code, stderr, first: stdout.split("\n")[0] }).toEqual({ code: 0, stderr: "", first });
  });

  test.each([
    ["-o x network NEM", "-o goes after the command: ents network ... -o", "ents network"],
    ["--plan community sandbox", "--plan goes after the command: ents sandbox ... --plan", "ents sandbox"],
    ["netwrok NEM", 'unknown command "netwrok"; did you mean network?', "ents"],
    ["help netwrok", 'unknown command "netwrok"; did you mean network?', "ents"],
    ["netwrok help", 'unknown command "netwrok"; did you mean network?', "ents"],
    ["netwrok --help", 'unknown command "netwrok"; did you mean network?', "ents"],
    ["config gte base-url", 'unknown command "gte"; did you mean get?', "ents config"],
    ["config gte --help", 'unknown command "gte"; did you mean get?', "ents config"],
    ["help config gte", 'unknown command "gte"; did you mean get?', "ents config"],
    ["config help gte", 'unknown command "gte"; did you mean get?', "ents config"],
    ["market NEM --fueltech wind", "'ents market' has no --fueltech; 'ents network' has it", "ents market"],
    ["network NEM --plan none", "'ents network' has no --plan; 'ents sandbox' has it", "ents network"],
    [
      "whoami --limit 3",
      "'ents whoami' has no --limit; 'ents network', 'ents facilities' and 'ents market' have it",
      "ents whoami",
    ],
    ["config get --all", "unknown flag --all", "ents config get"],
    ["config get rate now", "too many arguments: expected 1, got 2", "ents config get"],
  ])("%s is refused, and the message names the help of its command", async (line, message, command) => {
    expect(await run(line)).toEqual({
      code: 2,
      stdout: "",
      stderr: `ents: ${message}\n      see '${command} --help'\n`,
    });
  });

  test("the exit codes of help are those of main", async () => {
    const { stdout } = await run("--help");
    for (const { code, meaning } of Object.values(EXIT_CODES))
      expect(`${stdout}\n`).toContain(`\n  ${String(code).padEnd(3)}  ${meaning}\n`);
  });
});

describe("a command of the kit", () => {
  const seen: unknown[] = [];
  const greet = defineCommand({
    arguments: [
      { name: "given_name", hint: "say who", recognize: (word: string) => (word.startsWith("M") ? word : undefined) },
    ],
    options: {
      Greeting: {
        times: { argument: "n", help: "how often", default: 1, schema: "positiveCount" },
        words: { argument: "word", list: true, help: "what to say", schema: "list" },
        tone: { argument: "tone", help: "how", choices: ["loud", "low"], schema: "choice" },
        smile: { negated: true, help: "look stern", schema: "flag" },
      },
    },
    run: async ({ arguments: [name], options, describe: describeLine }) => {
      const { times, words, tone, smile } = options;
      const types: [number, readonly string[] | undefined, "loud" | "low" | undefined, boolean] = [
        times,
        words,
        tone,
        smile,
      ];
      seen.push([name, ...types, describeLine({ tone: undefined })]);
    },
  });
  const call = (line: string) =>
    createCommandLine([{ name: "greet", summary: "", load: async () => greet }], createContext().context).run(
      line.split(" "),
    );

  test("gets arguments and options, checked, with defaults", async () => {
    await call("greet Mia --words hello,there you --tone low");
    await call("greet Mia --times 3 --no-smile");
    expect(seen).toEqual([
      ["Mia", 1, ["hello", "there", "you"], "low", true, "ents greet Mia --words hello there you"],
      ["Mia", 3, undefined, undefined, false, "ents greet Mia --times 3 --no-smile"],
    ]);
  });

  test.each([
    ["greet", "the given name is missing"],
    ["greet --words hello Mia", 'the given name is missing: --words took "Mia" as a value'],
    ["greet Mia --tone shrill", 'unknown tone "shrill"'],
    ["greet Mia --times 0", '--times: "0" is not a whole number, 1 or more'],
    ["greet Mia --times --tone", "--times needs a value, but the flag --tone follows it"],
  ])("%s is refused", async (line, message) => {
    await expect(call(line)).rejects.toThrow(message);
  });
});

describe("a bug", () => {
  const bug = new TypeError("broken \u001b[31m");

  test("shows no stack, and how to see it", () => {
    const { context, texts } = createContext();
    printBug(bug, context, false);
    expect(texts.stderr).toBe(
      "ents: a bug in ents: broken \\u001b[31m\n      run the command again with -v for the stack trace\n",
    );
  });

  test("shows its stack with -v, line by line, and no control characters", () => {
    const { context, texts } = createContext();
    printBug(bug, context, true);
    expect(texts.stderr).toMatch(
      /^ents: a bug in ents: broken \\u001b\[31m\nTypeError: .*\n {4}at .*command-line\.test\.ts/,
    );
    expect(texts.stderr).not.toContain("\u001b");
  });
});
