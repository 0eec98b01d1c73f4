/** Measures time and memory of a process that writes a workbook. */
import { ENTS } from "./contestants.mjs";
import { measure, spread } from "./measure.mjs";
import { askIntervals } from "./work.mjs";

const ROWS = 300_000;
const REGIONS = 5;

/** @param {number} rounds @param {{ env: Record<string, string>, folder: string, baseUrl: string }} setting */
export function measureWorkbooks(rounds, { env, folder, baseUrl }) {
  process.stderr.write("workbooks\n");
  const args = [...askIntervals(baseUrl, ROWS / REGIONS, "30d"), "-f", "xlsx"];
  const samples = Array.from({ length: rounds + 1 }, () =>
    measure({ name: "xlsx", command: [process.execPath, ENTS, ...args], env }, folder),
  );
  // The first run waits for the service to create its responses.
  const [, ...counted] = samples;
  return { wall: spread(counted.map(({ wall }) => wall)), peak: spread(counted.map(({ peak }) => peak)) };
}
