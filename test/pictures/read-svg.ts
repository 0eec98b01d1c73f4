/** Reads from an SVG what a viewer sees: its texts, with the room that they take, and its plots. */
import { measureText } from "../../src/format/picture/svg/markup.ts";

export interface Rectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface PlacedText extends Rectangle {
  readonly text: string;
}

export interface ReadSvg {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PlacedText[];
  readonly plots: readonly PlotOnPage[];
}

interface PlotOnPage extends Rectangle {
  /** The number of lines across it. */
  readonly valueTicks: number;
  readonly timeTicks: number;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

export function readSvg(svg: string): ReadSvg {
  const [, width = "", height = "", font = ""] = /viewBox="0 0 (\d+) (\d+)".*? font-size="(\d+)"/.exec(svg) ?? [];
  const texts = Array.from(
    svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g),
    ([, attributes = "", content = ""]): PlacedText => {
      const text = content.replaceAll(/&\w+;|&#39;/g, (entity) => ENTITIES[entity] ?? entity);
      const size = Number(attribute(attributes, "font-size") ?? font);
      const wide = measureText(text, size);
      const [x, y] = [Number(attribute(attributes, "x")), Number(attribute(attributes, "y"))];
      const anchor = attribute(attributes, "text-anchor");
      const left = anchor === "end" ? x - wide : anchor === "middle" ? x - wide / 2 : x;
      return { text, left, right: left + wide, top: y - size * 0.75, bottom: y + size * 0.2 };
    },
  );
  const panels = svg.split('<g class="panel"').slice(1);
  return { width: Number(width), height: Number(height), texts, plots: panels.flatMap(readPlot) };
}

function readPlot(panel: string): PlotOnPage[] {
  const lines = Array.from(panel.matchAll(/<line([^>]*)\/>/g), ([, attributes = ""]) => {
    const [x1 = 0, x2 = 0, y1 = 0, y2 = 0] = ["x1", "x2", "y1", "y2"].map((name) =>
      Number(attribute(attributes, name)),
    );
    return { kind: attribute(attributes, "class"), x1, x2, y1, y2 };
  });
  const across = lines.filter(({ y1, y2, kind }) => y1 === y2 && kind !== "axis zero");
  const down = lines.filter(({ x1, x2, kind }) => x1 === x2 && kind === "grid");
  const [one, other] = [across[0], down[0]];
  if (!one || !other) return [];
  return [
    { left: one.x1, right: one.x2, top: other.y1, bottom: other.y2, valueTicks: across.length, timeTicks: down.length },
  ];
}

function attribute(attributes: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
}

/** Pairs of texts that overlap by more than the estimate of their widths may be off. */
export function listOverlaps(texts: readonly PlacedText[]): string[] {
  return texts.flatMap((one, index) =>
    texts.slice(index + 1).flatMap((other) => {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      return wide > 1 && high > 1 ? [`${one.text} | ${other.text}`] : [];
    }),
  );
}

export function areaOf({ left, right, top, bottom }: Rectangle): number {
  return (right - left) * (bottom - top);
}
