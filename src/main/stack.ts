/** The stack of a bug in terms of src: the bundle keeps its functions' names, and the maps beside its chunks the lines. */
import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";

/** `…/dist/command/request-….cjs:5:1234` → `src/job/run.ts:34:17`; what has no map stays as it is. */
export function mapStack(stack: string): string {
  return stack.replaceAll(/(?<=[ (])((?:\/|[A-Z]:\\)[^()]*?[.]cjs):(\d+):(\d+)/g, (place, chunk: string, line: string, column: string) => {
    const origin = findOrigin(`${chunk}.map`, Number(line), Number(column));
    return origin ?? place;
  });
}

function findOrigin(map: string, line: number, column: number): string | undefined {
  try {
    const origin = new SourceMap(JSON.parse(readFileSync(map, "utf8")) as SourceMapPayload).findOrigin(line, column);
    if (!("fileName" in origin)) return undefined;
    return `${origin.fileName.replace(/^([.][.]\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}`;
  } catch {
    return undefined;
  }
}
