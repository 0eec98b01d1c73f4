/** Draws a bar chart as SVG, readable on light and dark pages. */

const WIDTH = 720;
const ROW = 30;
const TOP = 40;
const LABELS = 170;
const VALUES = 70;

/**
 * @param {object} chart
 * @param {string} chart.title
 * @param {string} chart.note
 * @param {readonly { readonly name: string, readonly value: number, readonly text: string }[]} chart.bars  the first is ents
 */
export function drawBars({ title, note, bars }) {
  const height = TOP + bars.length * ROW + 24;
  const scale = (WIDTH - LABELS - VALUES) / Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ name, value, text }, index) => {
    const y = TOP + index * ROW;
    const width = Math.max(2, value * scale);
    const style = index === 0 ? ' class="own"' : "";
    return `  <text x="${LABELS - 10}" y="${y + 15}" text-anchor="end"${style}>${escape(name)}</text>
  <rect x="${LABELS}" y="${y}" width="${width.toFixed(1)}" height="20"${style}/>
  <text x="${(LABELS + width + 8).toFixed(1)}" y="${y + 15}"${style}>${escape(text)}</text>
`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
  <title>${escape(title)}</title>
  <style>
    text { fill: #1f2328 }
    rect { fill: #8c959f }
    .own, .title { font-weight: 600 }
    rect.own { fill: #1a7f37 }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } rect.own { fill: #3fb950 } }
  </style>
  <g font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="14">
  <text x="0" y="18" class="title">${escape(title)}</text>
${rows.join("")}  <text x="0" y="${height - 6}" font-size="12">${escape(note)}</text>
  </g>
</svg>
`;
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
