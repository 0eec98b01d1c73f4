/** svg: the picture as a standalone drawing on a light background. */
import { layOut } from "./picture/svg/frame.ts";
import { FONT, element, escapeMarkup, openElement } from "./picture/svg/markup.ts";
import { FONTS, paintSvg } from "./picture/svg/paint-svg.ts";
import type { Picture } from "./picture/model/picture.ts";
import { type Painting, createPictureFormat } from "./picture/picture-format.ts";

export const svg = createPictureFormat(drawSvg);

function* drawSvg(picture: Picture, { options }: Painting): Generator<string> {
  const frame = layOut(picture, options, true);
  const { width = frame.width, height = frame.height } = options;
  yield openElement("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${Math.ceil(frame.width)} ${Math.ceil(frame.height)}`,
    role: "img",
    "font-family": FONTS,
    "font-size": FONT,
  });
  yield `\n${element("title", {}, escapeMarkup(picture.title))}\n`;
  yield `${element("desc", {}, escapeMarkup([picture.subtitle, ...picture.notes].join("; ")))}\n`;
  yield* paintSvg(picture, frame);
  yield "</svg>\n";
}
