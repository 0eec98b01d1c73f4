import { PassThrough, Writable } from "node:stream";

/** Runs a command in this process, without a terminal and without an environment, and returns what it prints. */
export async function capture(main, args, version = "") {
  const texts = [];
  const output = () => ({
    stream: new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => (texts.push(String(chunk)), done()),
    }),
    isTerminal: false,
    isPipe: false,
    columns: undefined,
    rows: undefined,
    colors: false,
    colorDepth: 1,
    unicode: true,
  });
  const code = await main(args, {
    stdin: { stream: new PassThrough().end(), isTerminal: false },
    stdout: output(),
    stderr: output(),
    cwd: process.cwd(),
    env: {},
    version,
    process: { identity: {}, isGone: () => undefined },
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: async () => {},
    random: Math.random,
    signal: new AbortController().signal,
    secrets: new Set(),
    dispatcher: undefined,
  });
  if (code !== 0) throw new Error(`ents ${args.join(" ")} ended with ${code}: ${texts.join("")}`);
  return texts.join("");
}
