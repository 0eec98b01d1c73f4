/** What Windows lacks. A test that needs one of these is skipped there by its name. */
const isWindows = process.platform === "win32";

/** The quotes around a word with spaces. */
export const QUOTE = isWindows ? '"' : "'";

/** sh, mkfifo, gzip and the like. */
export const HAS_SHELL = !isWindows;

/** Modes of files: Windows has lists of rights, and Node shows only whether a file is read-only. */
export const HAS_MODES = !isWindows;

/** What Node shows of a mode with which something was made. */
export function shownMode(mode: number): number {
  return HAS_MODES ? mode : 0o666;
}

/** Symbolic links: on Windows, making them is a right of its own. */
export const HAS_LINKS = !isWindows;

/** Signals from another process that a program can handle: on Windows, `kill` just ends it. */
export const HAS_SIGNALS = !isWindows;

/** Names with `:`, `"`, `<`, `\` or a line break. */
export const HAS_ANY_NAMES = !isWindows;

/** Folders of a user by HOME and XDG_CONFIG_HOME. */
export const HAS_XDG = !isWindows;

/** An error of its own for a name that is too long: Windows says that there is no such folder. */
export const HAS_LONG_NAME_ERROR = !isWindows;

/** /proc and /dev. */
export const HAS_PROC = process.platform === "linux";
