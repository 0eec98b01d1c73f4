import { fstatSync, readFileSync } from "node:fs";
import { Writable } from "node:stream";

/** Standard output; where it is closed (`>&-`), a stream on which every write fails. */
export function openStandardOutput(): typeof process.stdout {
  return isClosed() ? (new Writable({ write: refuse }) as typeof process.stdout) : process.stdout;
}

function refuse(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
  done(chunk.length === 0 ? undefined : Object.assign(new Error("it is closed"), { code: "EBADF" }));
}

/**
 * Node opens the null device in place of a closed stream, to read and to write; `> /dev/null` is to write only. Programs
 * that discard both outputs of another (Node's `stdio: "ignore"`) may open it as Node does.
 */
function isClosed(): boolean {
  try {
    return isReplaced(1) && !isReplaced(2);
  } catch {
    // There is no /proc.
    return false;
  }
}

/** Major 1, minor 3. */
const NULL_DEVICE = 0x103;

/** proc(5), /proc/pid/fdinfo: the flags are octal, and the last two bits are how it was opened. */
function isReplaced(fd: number): boolean {
  const status = fstatSync(fd);
  return (
    status.isCharacterDevice() && status.rdev === NULL_DEVICE && /^flags:\s*\d*2$/m.test(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))
  );
}
