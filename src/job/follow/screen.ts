/** A terminal on which frames replace each other. */
import type { OutputStream } from "../../base/context.ts";

export interface Screen {
  /** What puts a frame in the place of the one before. */
  show(frame: string): string;
  /** Gives the terminal back as it was, with the last frame under what was there. */
  close(): void;
}

/** The other screen, which leaves the scrollback alone, and no cursor. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
/** Terminals that know it show all of a frame at once; the others ignore it. */
const [BEGIN, END] = ["\u001b[?2026h", "\u001b[?2026l"];
const HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

/** `redraw`: called when the size has changed. */
export function openScreen({ stream, ...size }: Pick<OutputStream, "stream" | "rows">, redraw: () => void): Screen {
  let last: string | undefined;
  stream.on("resize", redraw);
  return {
    show: (frame) => {
      const enter = last === undefined ? ENTER : "";
      last = frame;
      const lines = frame.split("\n").slice(0, size.rows);
      return enter + BEGIN + HOME + lines.map((line) => CLEAR_LINE + line).join("\r\n") + CLEAR_BELOW + END;
    },
    close: () => {
      stream.off("resize", redraw);
      // Not through a sink: those take nothing once the command is stopped.
      if (last !== undefined) stream.write(LEAVE + last);
    },
  };
}
