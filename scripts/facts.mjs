/** What the reference says, taken from the program itself: its tables, and the help that it prints. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";

/** `load` imports a module of the compiled source by its name. */
export async function collectFacts(load, root) {
  const [{ COMMANDS }, { COMMON_OPTIONS }, { flagSyntax }, { CONFIG_KEYS }, { FORMATS }, vocabulary, { main }] = await Promise.all([
    load("commands/all"),
    load("options/fetch-options"),
    load("options/spec"),
    load("settings/config-keys"),
    load("format/registry"),
    load("base/vocabulary"),
    load("main/main"),
  ]);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const readHelp = (words) => captureHelp(main, [...words, "--help"], version);
  const commands = await Promise.all(COMMANDS.map((entry) => describeCommand(entry, [], { readHelp, flagSyntax })));
  return {
    version,
    help: await readHelp([]),
    commands,
    common: listFlags(COMMON_OPTIONS, flagSyntax),
    configKeys: Object.entries(CONFIG_KEYS).map(([name, { help }]) => ({ name, help })),
    formats: await Promise.all(Object.entries(FORMATS).map(async ([name, entry]) => ({ name, ...entry, ...(await entry.load?.()) }))),
    vocabulary,
    exitCodes: readExitCodes(root),
  };
}

async function describeCommand(entry, parents, tools) {
  const spec = entry.load ? { ...entry, ...(await entry.load()) } : entry;
  const words = [...parents, entry.name];
  const help = await tools.readHelp(words);
  return {
    words,
    summary: entry.summary,
    usage: /^Usage: (.*)$/m.exec(help)?.[1] ?? "",
    groups: Object.entries(spec.options ?? {}).map(([heading, table]) => ({ heading, flags: listFlags(table, tools.flagSyntax) })),
    examples: spec.examples ?? [],
    help,
    subcommands: await Promise.all((spec.subcommands ?? []).map((child) => describeCommand(child, words, tools))),
  };
}

/** A default is what the help text says after `default`. */
function listFlags(table, flagSyntax) {
  return Object.entries(table).map(([key, spec]) => {
    const [help, ...rest] = spec.help.split(/; default:? /);
    return { syntax: flagSyntax(key, spec), parameter: spec.parameter, help, default: rest.join("; default ") };
  });
}

/** The help as a pipe sees it, from a run in this process. */
async function captureHelp(main, argv, version) {
  const texts = [];
  const stream = () => new Writable({ decodeStrings: false, write: (chunk, _encoding, done) => (texts.push(String(chunk)), done()) });
  const output = () => ({ stream: stream(), isTerminal: false, columns: undefined, colors: false });
  const code = await main(argv, {
    stdin: { stream: new PassThrough().end(), isTerminal: false },
    stdout: output(),
    stderr: output(),
    cwd: process.cwd(),
    env: {},
    version,
    process: { id: process.pid, isRunning: () => false },
    now: Date.now,
    sleep: async () => {},
    random: Math.random,
    signal: new AbortController().signal,
    dispatcher: undefined,
  });
  if (code !== 0) throw new Error(`ents ${argv.join(" ")} ended with ${code}: ${texts.join("")}`);
  return texts.join("");
}

/** The exit codes by kind of error, as src/main/main.ts maps them. */
export function readExitCodes(root) {
  const source = readFileSync(join(root, "src/main/main.ts"), "utf8");
  const block = (name) => new RegExp(`const ${name} = \\{([^}]*)\\}`).exec(source)?.[1] ?? "";
  const pairs = (text) => [...text.matchAll(/(\w+): (\d+)/g)].map(([, kind, code]) => [kind, Number(code)]);
  const bug = Number(/const BUG = (\d+)/.exec(source)?.[1]);
  const codes = { done: 0, bug, ...Object.fromEntries([...pairs(block("EXIT_CODES")), ...pairs(block("INTERRUPTED"))]) };
  if (Object.keys(codes).length !== 9 || Number.isNaN(bug))
    throw new Error("src/main/main.ts: the exit codes are not where docs expects them");
  return codes;
}
