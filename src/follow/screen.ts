/** Shows frames on a terminal, each in place of the previous one. */
import { DEFAULT_SCREEN } from "../base/terminal.ts";
import type { Context } from "../base/context.ts";
import type { Report } from "../base/report.ts";
import wrapAnsi from "wrap-ansi";
import { measureCells } from "../format/text-width.ts";

interface FrameScreen {
  /** Returns the text that replaces the previous frame; empty while ents is in the background. */
  show(frame: string): string;
  /** Restores the terminal, then prints the last frame and the messages on the normal screen. */
  close(): void;
}

/** Enter and leave the alternate screen, which keeps the scrollback intact; the cursor is hidden there. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
/** Synchronized output, so that a frame appears all at once where supported; no wrapping after a line of full width. */
const [BEGIN, END] = ["\u001b[?2026h\u001b[?7l\u001b[H", "\u001b[?7h\u001b[?2026l"];
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

/** Number of recent messages kept for printing at the end. */
const MAX_MESSAGES = 20;

/**
 * `draw` renders the current frame again, for example after a resize; undefined before the first frame. Messages are
 * shown below a frame until the next one.
 */
export function openScreen(
  { stdout, stderr, jobControl }: Context,
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
    // An error is ignored here: the next frame fails with it and ends the command.
    void draw().then(paintAnew, () => {});
  };
  const showMessage = (message: string) => {
    messages = [...messages, message].slice(-MAX_MESSAGES);
    below += message;
    if (isOpen) stream.write(paint());
  };
  const use = jobControl?.use({ leave, enter: redraw });
  const resize = () => void (isOpen && redraw());
  stream.on("resize", resize);
  return {
    show: (frame) => {
      // Before the first frame, messages go to standard error as usual.
      if (last === undefined && stderr.isTerminal) divert(showMessage);
      last = frame;
      below = "";
      return use?.claim() === false ? "" : paint();
    },
    close: () => {
      isClosed = true;
      stream.off("resize", resize);
      use?.release();
      divert(undefined);
      // Not through a sink, which rejects writes once the command is stopped.
      if (isOpen) stream.write(LEAVE + last);
      for (const message of messages) stderr.stream.write(message);
    },
  };
}

/** Overwrites line by line instead of clearing the screen, to avoid flicker. */
function paintFrame(
  frame: string,
  below: string,
  { columns = DEFAULT_SCREEN.columns, rows = DEFAULT_SCREEN.rows }: Pick<Context["stdout"], "columns" | "rows">,
): string {
  const messages = wrapLines(below, columns);
  const lines = [...wrapLines(frame, columns).slice(0, Math.max(0, rows - messages.length)), ...messages].slice(-rows);
  const painted = lines.map((line) => (measureCells(line) < columns ? line + CLEAR_LINE : line)).join("\r\n");
  return BEGIN + painted + (lines.length < rows ? `\r\n${CLEAR_BELOW}` : "") + END;
}

/** Splits text into lines, and wraps long ones as a terminal would. */
function wrapLines(text: string, columns: number): string[] {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  return lines.flatMap((line) =>
    measureCells(line) <= columns
      ? [line]
      : wrapAnsi(line, columns, { hard: true, trim: false, wordWrap: false }).split("\n"),
  );
}
