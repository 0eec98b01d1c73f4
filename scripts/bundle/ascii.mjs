/** Escapes characters beyond Latin-1, as V8 keeps text that has one in two bytes per character. */
import { decode, encode } from "@jridgewell/sourcemap-codec";

const WIDE = /[\u0100-\uffff]/g;

/** A plugin that escapes them in each chunk, and moves the columns in its map. */
export function ascii() {
  return {
    name: "ascii",
    /** @param {unknown} _options @param {import("rolldown").OutputBundle} bundle */
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const map = bundle[`${chunk.fileName}.map`];
        if (map?.type === "asset") map.source = moveColumns(String(map.source), chunk.code);
        chunk.code = chunk.code.replaceAll(WIDE, escape);
      }
    },
  };
}

/** @param {string} character */
function escape(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** @param {string} source of a map @param {string} code */
function moveColumns(source, code) {
  const { mappings, ...map } = JSON.parse(source);
  const wide = code.split("\n").map((line) => [...line.matchAll(WIDE)].map(({ index }) => index));
  const moved = decode(mappings).map((segments, line) =>
    segments.map(([column, ...rest]) => [
      column + 5 * (wide[line] ?? []).filter((index) => index < column).length,
      ...rest,
    ]),
  );
  return JSON.stringify({
    ...map,
    mappings: encode(/** @type {import("@jridgewell/sourcemap-codec").SourceMapMappings} */ (moved)),
  });
}
