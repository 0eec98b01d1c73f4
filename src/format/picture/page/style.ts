import { lighten } from "../colours.ts";
import type { Picture } from "../picture.ts";
import { FONTS } from "../paint.ts";

/** The style sheet of a page; on a dark one dark series are lighter. */
export function styleOf({ panels }: Picture): string {
  const colours = panels.flatMap(({ series, mark }, panel) =>
    series.map(({ colour }, index) => {
      const place = `[data-panel="${panel}"][data-series="${index}"]`;
      const inside = `[data-panel="${panel}"] [data-series="${index}"]`;
      const light = lighten(colour);
      const paint = mark === "line" ? `stroke:${light}` : `fill:${light};stroke:${light}`;
      return light === colour ? "" : `${inside} path{${paint}}rect${place}{fill:${light}}`;
    }),
  );
  return `${STYLE}@media (prefers-color-scheme:dark){${DARK}${colours.join("")}}`;
}

const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#24292f;--muted:#57606a;--grid:#e4e7eb;--axis:#8c959f;--lift:#f6f8fa}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.45 ${FONTS}}
main{max-width:1400px;margin:0 auto;padding:20px}
h1{font-size:22px;margin:0}
p,ul,footer{color:var(--muted);margin:4px 0 12px}
ul{padding-left:18px}
.sheet{display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start}
figure{position:relative;margin:0;flex:3 1 480px;min-width:0}
#chart{display:block;width:100%;height:auto;touch-action:pan-y}
:focus-visible{outline:2px solid #0969da;outline-offset:2px}
.tables{flex:1 1 max-content;max-width:100%;overflow-x:auto}
.ink{fill:var(--ink)}.muted{fill:var(--muted)}.grid{stroke:var(--grid)}.axis{stroke:var(--axis)}
[hidden]{display:none}
table{border-collapse:collapse;width:100%;margin-bottom:16px}
caption{text-align:left;font-weight:600;padding-bottom:4px}
th{font-weight:400;text-align:left}
thead th{color:var(--muted)}
td,thead th+th{text-align:right;padding-left:10px;font-variant-numeric:tabular-nums;white-space:nowrap}
tbody tr:hover{background:var(--lift)}
button{all:unset;display:flex;align-items:baseline;cursor:pointer;padding:1px 2px}
button:focus-visible{outline:2px solid #0969da}
button svg,#tip svg{flex:none;margin-right:6px}
button[aria-pressed=false]{opacity:.45;text-decoration:line-through}
#tip{position:absolute;pointer-events:none;background:var(--paper);border:1px solid var(--axis);border-radius:6px;padding:6px 9px;box-shadow:0 2px 8px #0003;font-size:12px;max-width:340px;z-index:1}
#tip div{display:flex;align-items:baseline}
#tip span{flex:1;overflow-wrap:anywhere}
#tip b{font-weight:600;margin-left:14px;font-variant-numeric:tabular-nums}
footer{font-size:12px;overflow-wrap:anywhere}
`;

const DARK = `:root{--paper:#1b1f24;--ink:#e6edf3;--muted:#9da7b1;--grid:#30363d;--axis:#6e7681;--lift:#262c33}`;
