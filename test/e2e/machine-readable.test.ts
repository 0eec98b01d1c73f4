/** Help and messages for programs say what those for people say, in the form that their schemas describe. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { ROOT } from "../docs/markdown.ts";
import { FULL } from "../support/extent.ts";
import { readGolden, runBlock } from "../support/golden.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { openService } from "./services.ts";

const ajv = new Ajv({ strict: false });

/** Fails with what is wrong if the value is not as a schema in docs says. */
function expectValid(schema: string, value: unknown): void {
  const check = ajv.compile(JSON.parse(readFileSync(join(ROOT, "docs", `${schema}.schema.json`), "utf8")) as object);
  expect(check(value) ? [] : check.errors).toEqual([]);
}

interface Flag {
  readonly flag: string;
  readonly choices?: readonly string[];
  readonly conflicts?: readonly string[];
  readonly needs_one?: readonly string[];
  readonly argument?: string;
  readonly default_text?: string;
}

interface Described {
  readonly name: string;
  readonly usage: string;
  readonly flags?: readonly Flag[];
  readonly examples?: readonly { readonly command: string }[];
}

async function readHelp(words: readonly string[]): Promise<{ readonly commands: readonly Described[] }> {
  const { code, stdout, stderr } = await createHome().run(["help", "--json", ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as { readonly commands: readonly Described[] };
}

describe("ents help --json", () => {
  test("is as its schema says, and has what --help of each command has", async () => {
    const help = await readHelp([]);
    expectValid("help", help);
    for (const { name, usage, flags = [], examples = [] } of help.commands.filter(
      (command) => command.name !== "ents help",
    )) {
      const { stdout } = await createHome().run([...name.split(" ").slice(1), "--help"]);
      expect(stdout).toContain(`Usage: ${usage}`);
      for (const { command } of examples) expect(stdout).toContain(command);
      const shown = [...stdout.matchAll(/^ {2}(?:(-\w), )?(--[\w-]+(?:=\w+)?)/gm)].map(([, , flag = ""]) => flag);
      const common = ["--quiet", "--no-progress", "--verbose", "--help"];
      const described = new Set([...flags.map(({ flag }) => flag), ...common]);
      expect(shown.filter((flag) => !described.has(flag))).toEqual([]);
    }
    const [network] = help.commands;
    // Flags for programs are not in help.
    expect(network?.flags?.filter(({ flag }) => flag === "--primary-grouping")).toHaveLength(1);
  });

  test("takes a command, a group of commands, or two words", async () => {
    const names = async (...words: string[]) => (await readHelp(words)).commands.map(({ name }) => name);
    expect(await names("market")).toEqual(["ents market"]);
    expect(await names("cache")).toEqual(["ents cache info", "ents cache clear"]);
    expect(await names("config", "set")).toEqual(["ents config set"]);
  });

  test("has what a command takes: its metrics, labels, conflicts, needs and defaults", async () => {
    const { commands } = await readHelp(["market"]);
    const find = (flag: string) => commands[0]?.flags?.find((one) => one.flag === flag);
    expect(find("--metrics")?.choices).toContain("price");
    expect(find("--metrics")?.choices).not.toContain("power");
    expect(find("--pivot")?.choices).toEqual(["region"]);
    expect(find("--profile")?.conflicts).toEqual(
      expect.arrayContaining(["--duration", "--above", "--update", "--follow"]),
    );
    expect(find("--update")?.conflicts).toEqual(expect.arrayContaining(["--last", "--above", "--compare"]));
    expect(find("--per")?.needs_one).toContain("--summary-only");
    expect(find("--interval")?.default_text).toBe("5m on OpenElectricity");
  });

  test("says of conflicts and needs what the parser says", async () => {
    const { commands } = await readHelp(["market"]);
    const { flags = [] } = commands[0] ?? {};
    const all = new Map(flags.map((flag) => [flag.flag, flag]));
    const write = ({ flag, choices, argument }: Flag): readonly string[] =>
      argument === undefined ? [flag] : [flag, SAMPLES[flag] ?? (choices?.[0] || "1d")];
    for (const flag of flags)
      for (const other of flag.conflicts ?? []) {
        const line = [...write(flag), ...write(all.get(other) ?? flag)];
        const { code, stderr } = await createHome().run(["market", "NEM", "-m", "price", "--dry-run", ...line]);
        expect({ line, code, stderr }).toEqual({
          line,
          code: 2,
          stderr: expect.stringMatching(/cannot be used with|only works with|needs/) as string,
        });
      }
  });
});

/** Values of flags that have no choices. */
const SAMPLES: Readonly<Record<string, string>> = {
  "--date-start": "2025-01-01",
  "--date-end": "2025-01-02",
  "--during": "2025-01",
  "--above": "1",
  "--below": "1",
  "--top": "1",
  "--bottom": "1",
  "--minus": "VIC1",
  "--output": "x.csv",
  "--base-url": "http://127.0.0.1:9",
  "--require-fresh": "1h",
};

interface Message {
  readonly kind: string;
  readonly message: string;
  readonly next_step?: string;
  readonly causes?: readonly string[];
}

/** The text for people that an object stands for. */
function formatText(line: string): string {
  const message = JSON.parse(line) as Message;
  expectValid("errors", message);
  const { kind, message: text, next_step: next, causes = [] } = message;
  if (kind === "text") return text;
  const label = kind === "note" || kind === "warning" ? `${kind}: ` : "";
  const lines = [text, ...(next?.split("\n") ?? []), ...causes.map((cause) => `caused by: ${cause}`)];
  return `ents: ${label}${lines.join("\n      ")}`;
}

const toText = (stderr: string) => stderr.replaceAll(/^\{.*\}$/gm, formatText);

describe("--errors json says what the text says", () => {
  const FOLDER = join(import.meta.dirname, "../golden");
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));
  test.runIf(FULL).concurrent.for(files)("in %s", async (name) => {
    // Help that nobody asked for is not printed.
    const told = ({ text }: { readonly text: string }) =>
      text.includes("[standard error]") && !/2>|error\]\nUsage:/.test(text);
    for (const block of readGolden(join(FOLDER, name)).filter(told)) {
      const env = { ...(await openService(block)), ENTS_ERRORS: "json" };
      expect(await runBlock(block, env, toText)).toBe(block.text);
    }
  });

  test("with the value, what is allowed, what was meant, and the flag wherever it stands", async () => {
    const { code, stderr, stdout } = await createHome().run([
      "network",
      "NEM",
      "-i",
      "daily",
      "-m",
      "power",
      "--errors",
      "json",
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({
      kind: "usage",
      exit_code: 2,
      flag: "--interval",
      value: "daily",
      did_you_mean: ["1d"],
    });
    const unknown = await createHome().run(["network", "NEM", "--metric", "power", "--errors=json"]);
    expect(JSON.parse(unknown.stderr)).toMatchObject({ flag: "--metric", did_you_mean: ["--metrics"] });
    const list = await createHome().run(["market", "list", "-m", "price"], { env: { ENTS_ERRORS: "json" } });
    expect(JSON.parse(list.stderr)).toMatchObject({ value: "list", did_you_mean: ["ents list networks"] });
  });

  test.each([
    ["network NEM -m power -s 2025-13-01", { flag: "--date-start", value: "2025-13-01" }],
    ["network NEM -m power -e yesterdy", { flag: "--date-end", value: "yesterdy" }],
    ["network NEM -m power --during 2025-02-30", { flag: "--during", value: "2025-02-30" }],
    ["network NEM -m power --last 3x", { flag: "--last", value: "3x" }],
    ["network NEM -m power -s 2025-02 -e 2025-01", { flag: "--date-start", value: "2025-02" }],
    [
      "facilities NEM -m power --unit-code BW1 --sandbox",
      { flag: "--unit-code", value: "BW1", did_you_mean: ["BW01"] },
    ],
    [
      "facilities NEM -m power --facility-code BAYS --sandbox",
      { flag: "--facility-code", value: "BAYS", did_you_mean: ["BAYSW"] },
    ],
    ["show none.csv", { next_step: expect.stringMatching(/: ents network NEM .* --update -o none\.csv$/) as string }],
  ])("%s: %j", async (line, facts) => {
    const { code, stderr } = await createHome().run([...line.split(" "), "--errors", "json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject(facts);
    expectValid("errors", JSON.parse(stderr));
  });

  test("the status of the answers to all tries, and an object alone where help would be printed", async () => {
    for (const status of [429, 503]) {
      const service = await startService(() => ({ status, headers: { "retry-after": "0" } }));
      const run = await createHome().run(["network", "NEM", "-m", "power", "--last", "1d", "--errors", "json"], {
        env: { ENTS_TOKEN: "token-of-mine", ENTS_BASE_URL: service.url },
      });
      expect(JSON.parse(run.stderr)).toMatchObject({ kind: "unavailable", http_status: status });
    }
    for (const words of [[], ["list"], ["config"]]) {
      const { code, stdout, stderr } = await createHome().run([...words, "--errors", "json"]);
      expect({ code, stdout, kind: (JSON.parse(stderr) as Message).kind }).toEqual({
        code: 2,
        stdout: "",
        kind: "usage",
      });
    }
  });

  test("a wrong value is refused, and named", async () => {
    const flag = await createHome().run(["metrics", "--errors", "xml"]);
    expect(flag).toMatchObject({ code: 2, stderr: 'ents: --errors cannot be "xml"\n      use text or json\n' });
    const variable = await createHome().run(["metrics"], { env: { ENTS_ERRORS: "yes" } });
    expect(variable).toMatchObject({ code: 2, stderr: 'ents: ENTS_ERRORS cannot be "yes"\n      use text or json\n' });
  });
});
