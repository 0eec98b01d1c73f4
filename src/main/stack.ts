/** Maps a stack trace of the bundle to files and lines of src, by the source maps beside the chunks. */
import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";

/** `…/dist/command/request-….cjs:5:1234` → `src/job/run.ts:34:17`; without a map, unchanged. */
export function mapStack(stack: string): string {
  return stack.replaceAll(/(?<=[ (])(?:\/|[A-Z]:\\)[^()]*?[.]cjs:\d+:\d+/g, (place) => findSource(place) ?? place);
}

function findSource(place: string): string | undefined {
  const [, chunk = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
  try {
    const map = JSON.parse(readFileSync(`${chunk}.map`, "utf8")) as SourceMapPayload;
    const origin = new SourceMap(map).findOrigin(Number(line), Number(column));
    return "fileName" in origin ? `${origin.fileName.replace(/^([.][.]\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}` : undefined;
  } catch {
    return undefined;
  }
}
