/** Cuts names that are too wide, without making two of them the same. */

const CUT = "...";

/**
 * Cuts each name that does not fit at its end or, if that makes two names the same, at its start or in the middle.
 * `fits`: whether a text has room.
 */
export function fitNames(names: readonly string[], fits: (text: string) => boolean): string[] {
  if (names.every(fits)) return [...names];
  const cuts = [0, 1, 0.5].map((endPart) => names.map((name) => (fits(name) ? name : cutName(name, fits, endPart))));
  const isDistinct = (cut: readonly string[]) => new Set(cut).size === new Set(names).size;
  return cuts.find(isDistinct) ?? (cuts.at(-1) as string[]);
}

/** The first text that has room, or the last one cut; undefined if there is none. */
export function fitFirst(texts: readonly string[], fits: (text: string) => boolean): string | undefined {
  return texts.find(fits) ?? fitNames(texts.slice(-1), fits)[0];
}

/** Keeps as many characters as fit. `endPart`: the part of them that is the name's end. */
function cutName(name: string, fits: (text: string) => boolean, endPart: number): string {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  const keep = (count: number) => {
    const atEnd = Math.floor(count * endPart);
    return [...characters.slice(0, count - atEnd), CUT, ...characters.slice(characters.length - atEnd)].join("");
  };
  let [fitting, tooMany] = [0, characters.length];
  while (tooMany - fitting > 1) {
    const count = Math.floor((fitting + tooMany) / 2);
    if (fits(keep(count))) fitting = count;
    else tooMany = count;
  }
  return keep(fitting);
}
