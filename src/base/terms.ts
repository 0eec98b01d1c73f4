export type Term = readonly [term: string, text: string];

interface Page {
  readonly width: number;
  /** The width of a text. */
  readonly measure?: (text: string) => number;
}

/** Lines in two columns, the second one wrapped; a word that is longer than it stays whole. */
export function formatTerms(terms: readonly Term[], page: Page): string[] {
  const { width, measure = ({ length }) => length } = page;
  const indent = 2 + Math.max(...terms.map(([term]) => measure(term)));
  return terms.flatMap(([term, text]) =>
    wrapText(text, { width: width - indent, measure }).map((line, index) => {
      const start = index === 0 ? term : "";
      return `${start}${" ".repeat(indent - measure(start))}${line}`.trimEnd();
    }),
  );
}

/** Lines of so many cells; a longer word stays whole. */
export function wrapText(text: string, { width, measure }: Required<Page>): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || measure(`${line} ${word}`) > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
