import { PassThrough, Writable } from "node:stream";

/** Runs a command with `--help` or `-h` in this process, and returns its output. `columns`: width of a terminal; undefined for a pipe. */
export async function captureHelp(main, words, { version, columns }) {
  const texts = [];
  const stream = () => new Writable({ decodeStrings: false, write: (chunk, _encoding, done) => (texts.push(String(chunk)), done()) });
  const output = () => ({ stream: stream(), isTerminal: columns !== undefined, columns, rows: undefined, colors: false });
  const code = await main(words, {
    stdin: { stream: new PassThrough().end(), isTerminal: false },
    stdout: output(),
    stderr: output(),
    cwd: process.cwd(),
    env: {},
    version,
    process: { identity: {}, isGone: () => undefined },
    now: Date.now,
    sleep: async () => {},
    random: Math.random,
    signal: new AbortController().signal,
    dispatcher: undefined,
  });
  if (code !== 0) throw new Error(`ents ${words.join(" ")} ended with ${code}: ${texts.join("")}`);
  return texts.join("");
}
