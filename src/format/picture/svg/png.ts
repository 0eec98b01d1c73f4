/** png: the svg as an image of twice as many pixels, for mail, slides and printing. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { createPictureFormat } from "../picture-format.ts";
import { drawSvg } from "./svg.ts";

export const png = createPictureFormat(async function* (picture, painting) {
  await startRenderer();
  const image = new Resvg([...drawSvg(picture, painting)].join(""), {
    fitTo: { mode: "zoom", value: SCALE },
    font: FONT,
  });
  yield image.render().asPng();
});

/** Screens and slides show two pixels per unit of length. */
const SCALE = 2;

const requireFile = createRequire(import.meta.url);

/** The font comes with ents, as a machine may have none. */
const FAMILY = "PT Sans";
const FONT = {
  fontBuffers: ["latin", "latin-ext", "cyrillic"].flatMap((script) =>
    [400, 700].map((weight) =>
      readFileSync(requireFile.resolve(`@fontsource/pt-sans/files/pt-sans-${script}-${weight}-normal.woff2`)),
    ),
  ),
  defaultFontFamily: FAMILY,
  sansSerifFamily: FAMILY,
};

/** The renderer can be started only once in a process. */
let started: Promise<unknown> | undefined;

async function startRenderer(): Promise<void> {
  started ??= initWasm(readFileSync(requireFile.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  await started;
}
