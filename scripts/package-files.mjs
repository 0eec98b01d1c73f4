/** What the executable and the wheel contain of the package. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));
const RESVG = "node_modules/@resvg/resvg-wasm";
const FONT = "node_modules/@fontsource/pt-sans";

/**
 * The files that ents reads from its package, by their paths there; without source maps, which cost each start 3 to 5
 * ms.
 */
export function listPackage() {
  return [
    "package.json",
    "dist/page.js",
    ...list("dist/command", /[.]cjs$/),
    ...list(RESVG, /^(package[.]json|index[.]js|index_bg[.]wasm)$/),
    `${FONT}/package.json`,
    ...list(`${FONT}/files`, /^pt-sans-(latin|latin-ext|cyrillic)-[47]00-normal[.]woff2$/),
  ];
}

/** The licences of what these files contain of others. */
export function readNotices(name) {
  return [
    readFileSync(join(ROOT, "dist/THIRD-PARTY-NOTICES"), "utf8"),
    `The ${name} contains @resvg/resvg-wasm (MPL-2.0, https://github.com/thx/resvg-js) and PT Sans, too:`,
    readFileSync(join(ROOT, FONT, "LICENSE"), "utf8"),
  ];
}

function list(folder, pattern) {
  const names = readdirSync(join(ROOT, folder)).filter((name) => pattern.test(name));
  return names.map((name) => `${folder}/${name}`);
}
