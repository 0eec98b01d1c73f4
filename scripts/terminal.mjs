/** A terminal with a command and what it prints, as SVG: the picture of README, from a real run. */
import { PassThrough, Writable } from "node:stream";

const COLUMNS = 80;
const ARGS = ["market", "NEM", "-m", "price", "demand", "-i", "1d", "-s", "2025-01-30", "-e", "2025-01-31"];
const MORE_ARGS = ["--primary-grouping", "network_region", "--sandbox"];

const CELL = { width: 8.4, height: 18 };
const MARGIN = 16;
const FONTS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
/** By the parameters of the escape sequence that begins them. */
const STYLES = {
  1: 'font-weight="bold"',
  2: 'opacity="0.6"',
  31: 'fill="#ff7b72"',
  32: 'fill="#3fb950"',
  33: 'fill="#d29922"',
  34: 'fill="#58a6ff"',
  35: 'fill="#bc8cff"',
  36: 'fill="#39c5cf"',
};

/** `load` imports a module of the compiled source by its name. */
export async function drawTerminal(load) {
  const printed = await run(await load("main/main"));
  const prompt = [`\x1b[32m$\x1b[39m ents ${ARGS.join(" ")} \\`, `    ${MORE_ARGS.join(" ")}`];
  return draw([...prompt, ...printed.trimEnd().split("\n")]);
}

/** What a terminal shows, without the progress. */
async function run({ main }) {
  const texts = [];
  const collect = (isTerminal) => ({
    stream: new Writable({ decodeStrings: false, write: (chunk, _encoding, done) => (texts.push(String(chunk)), done()) }),
    isTerminal,
    isPipe: false,
    columns: isTerminal ? COLUMNS : undefined,
    rows: isTerminal ? 40 : undefined,
    colors: true,
  });
  const code = await main([...ARGS, ...MORE_ARGS], {
    stdin: { stream: new PassThrough().end(), isTerminal: false },
    stdout: collect(true),
    stderr: collect(false),
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

function draw(lines) {
  const width = Math.round(COLUMNS * CELL.width + 2 * MARGIN);
  const height = lines.length * CELL.height + 2 * MARGIN;
  const texts = lines.map((line, index) => drawLine(line, MARGIN + (index + 0.75) * CELL.height));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>ents in a terminal</title>
  <rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
  <g font-family="${FONTS}" font-size="14" fill="#e6edf3">
${texts.join("")}  </g>
</svg>
`;
}

/** What two spaces or a style set apart starts at its column and is as wide as its columns, whatever the font. */
function drawLine(line, y) {
  const styles = new Set();
  let column = 0;
  let text = "";
  for (const [part, parameters] of line.matchAll(/\x1b\[([\d;]*)m|[^\x1b]+/g)) {
    if (parameters !== undefined) {
      for (const parameter of parameters.split(";")) applyStyle(styles, Number(parameter));
      continue;
    }
    const style = [...styles].map((each) => ` ${STYLES[each]}`).join("");
    for (const { 0: shown, index } of part.matchAll(/\S+(?: \S+)*/g)) {
      const x = (MARGIN + (column + index) * CELL.width).toFixed(1);
      const length = (shown.length * CELL.width).toFixed(1);
      text += `    <text x="${x}" y="${y}" textLength="${length}"${style}>${escape(shown)}</text>\n`;
    }
    column += part.length;
  }
  return text;
}

function applyStyle(styles, parameter) {
  if (parameter in STYLES) styles.add(parameter);
  else if (parameter === 0) styles.clear();
  else if (parameter === 22) for (const each of [1, 2]) styles.delete(each);
  else if (parameter === 39) for (const each of styles) if (each > 30) styles.delete(each);
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
