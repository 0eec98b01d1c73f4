/** svg: the picture as a standalone drawing on a light background. */
import { joinTexts } from "./format.ts";
import type { Picture } from "./picture/model/picture.ts";
import { type DrawContext, createPictureFormat } from "./picture/picture-format.ts";
import { layOutPage } from "./picture/svg/frame.ts";
import { condenseFor } from "./picture/svg/placement.ts";
import { element, escapeMarkup, openElement } from "./picture/svg/markup.ts";
import { FONTS, paintSvg } from "./picture/svg/paint-svg.ts";

export const svg = createPictureFormat((picture, painting) => joinTexts(drawSvg(picture, painting)));

export function* drawSvg(picture: Picture, { options, fold }: DrawContext): Generator<string> {
  const frame = layOutPage(condenseFor(options, picture), options, (maxEntries) =>
    condenseFor(options, fold(maxEntries)),
  );
  const { width = frame.width, height = frame.height } = options;
  yield openElement("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${Math.ceil(frame.width)} ${Math.ceil(frame.height)}`,
    role: "img",
    "font-family": FONTS,
    "font-size": frame.sizes.font,
  });
  yield `\n${element("title", {}, escapeMarkup(picture.title))}\n`;
  yield `${element("desc", {}, escapeMarkup([picture.subtitle, ...picture.notes, ...picture.remarks, picture.source].filter((text) => text !== undefined).join("; ")))}\n`;
  yield* paintSvg(frame, picture.time);
  yield "</svg>\n";
}
