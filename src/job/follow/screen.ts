/** A terminal on which frames replace each other. */
import { DEFAULT_SCREEN } from "../../base/terminal.ts";
import type { Context } from "../../base/context.ts";
import type { Report } from "../../base/report.ts";
import wrapAnsi from "wrap-ansi";
import { measureCells } from "../../format/text-width.ts";

export interface FrameScreen {
  /** What puts a frame in the place of the one before; nothing where the terminal is not ours for now. */
  show(frame: string): string;
  /** Gives the terminal back as it was, with the last frame and the messages under what was there. */
  close(): void;
}

/** The other screen, which leaves the scrollback alone, and no cursor. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
/** Terminals that know it show all of a frame at once; the others ignore it. A line of the width of the terminal has no line below it. */
const [BEGIN, END] = ["\u001b[?2026h\u001b[?7l\u001b[H", "\u001b[?7h\u001b[?2026l"];
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

/** Messages that are kept until the end; of more, the last ones. */
const MAX_MESSAGES = 20;

/**
 * `draw`: the frame of now, for a terminal that has another size; undefined where there is none. Messages show under a frame
 * until the next one.
 */
export function openScreen(
  { stdout, stderr, jobControl }: Pick<Context, "stdout" | "stderr" | "jobControl">,
  { divert }: Pick<Report, "divert">,
  draw: () => Promise<string | undefined>,
): FrameScreen {
  const { stream } = stdout;
  let last: string | undefined;
  let [isOpen, isClosed] = [false, false];
  let messages: string[] = [];
  let below = "";
  const paint = () => {
    const enter = isOpen ? "" : ENTER;
    isOpen = true;
    return enter + paintFrame(last ?? "", below, stdout);
  };
  const leave = () => {
    if (isOpen) stream.write(LEAVE);
    isOpen = false;
  };
  const redraw = () => {
    if (use?.claim() === false) return;
    const paintAnew = (frame: string | undefined) => {
      if (frame === undefined || isClosed) return;
      last = frame;
      stream.write(paint());
    };
    // What cannot be drawn ends the command with the next frame.
    void draw().then(paintAnew, () => {});
  };
  const tell = (message: string) => {
    messages = [...messages, message].slice(-MAX_MESSAGES);
    below += message;
    if (isOpen) stream.write(paint());
  };
  const use = jobControl?.use({ leave, enter: redraw });
  const resize = () => void (isOpen && redraw());
  stream.on("resize", resize);
  return {
    show: (frame) => {
      // Before there is something to show, messages stand where they always do.
      if (last === undefined && stderr.isTerminal) divert(tell);
      last = frame;
      below = "";
      return use?.claim() === false ? "" : paint();
    },
    close: () => {
      isClosed = true;
      stream.off("resize", resize);
      use?.release();
      divert(undefined);
      // Not through a sink: those take nothing once the command is stopped.
      if (isOpen) stream.write(LEAVE + last);
      for (const message of messages) stderr.stream.write(message);
    },
  };
}

/** Each line over the one that was there: nothing is cleared that is drawn again. */
function paintFrame(
  frame: string,
  below: string,
  { columns = DEFAULT_SCREEN.columns, rows = DEFAULT_SCREEN.rows }: Pick<Context["stdout"], "columns" | "rows">,
): string {
  const messages = listLines(below, columns);
  const lines = [...listLines(frame, columns).slice(0, Math.max(0, rows - messages.length)), ...messages].slice(-rows);
  const painted = lines.map((line) => (measureCells(line) < columns ? line + CLEAR_LINE : line)).join("\r\n");
  return BEGIN + painted + (lines.length < rows ? `\r\n${CLEAR_BELOW}` : "") + END;
}

/** Without their ends; those that are too long go on in the next line, as a terminal would have it. */
function listLines(text: string, columns: number): string[] {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  return lines.flatMap((line) =>
    measureCells(line) <= columns ? [line] : wrapAnsi(line, columns, { hard: true, trim: false, wordWrap: false }).split("\n"),
  );
}
