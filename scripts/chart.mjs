/** Draws the chart of the README, from a run in the sandbox. */
import { PassThrough, Writable } from "node:stream";

const ARGS = ["network", "NEM", "-m", "power", "-i", "1h", "-s", "2025-01-29", "-e", "2025-01-31", "-g", "fueltech"];

/** `load` imports a module of the compiled source by its name. */
export async function drawChart(load) {
  const { main } = await load("main/main");
  const texts = [];
  const screen = { isTerminal: false, isPipe: false, columns: undefined, rows: undefined, colors: false, colorDepth: 1, unicode: true };
  const collect = () => ({
    ...screen,
    stream: new Writable({ decodeStrings: false, write: (chunk, _encoding, done) => (texts.push(String(chunk)), done()) }),
  });
  const code = await main([...ARGS, "-f", "svg", "--sandbox", "-q"], {
    stdin: { stream: new PassThrough().end(), isTerminal: false },
    stdout: collect(),
    stderr: collect(),
    cwd: process.cwd(),
    env: {},
    version: "",
    process: { identity: {}, isGone: () => undefined },
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: async () => {},
    random: Math.random,
    signal: new AbortController().signal,
    secrets: new Set(),
    dispatcher: undefined,
  });
  if (code !== 0) throw new Error(`ents ${ARGS.join(" ")} ended with ${code}: ${texts.join("")}`);
  return texts.join("");
}
