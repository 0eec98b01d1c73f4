/** A token that a command prints, such as that of a keychain. It is neither stored nor shown. */
import { exec, type ExecException } from "node:child_process";
import { promisify } from "node:util";
import type { Context } from "../base/context.ts";
import { EntsError } from "../base/errors.ts";
import { escapeControls } from "../base/terminal.ts";
import { TOKEN_COMMAND } from "./config-keys.ts";

/** Long enough to type a passphrase. */
const TIME_LIMIT_MS = 60_000;

/**
 * The first line that a command of the shell prints; it has no standard input.
 * @throws {EntsError} authentication: it failed, or took more than a minute.
 */
export async function runTokenCommand(command: string, { cwd, env, signal }: Context): Promise<string> {
  try {
    const running = promisify(exec)(command, { cwd, env, signal, timeout: TIME_LIMIT_MS });
    running.child.stdin?.end();
    return (await running).stdout.split(/\r?\n/, 1).join("").trim();
  } catch (cause) {
    signal.throwIfAborted();
    const { code, killed, stderr = "" } = cause as ExecException;
    const said = escapeControls(stderr.trim().split("\n").at(-1) ?? "");
    const end = typeof code === "number" ? `failed with exit code ${code}` : "printed too much, or was stopped";
    const how = killed && code === null ? `took more than ${TIME_LIMIT_MS / 1000} s` : end;
    throw new EntsError("authentication", `the ${TOKEN_COMMAND} ${how}${said && `: ${said}`}`, {
      hint: `try it in a shell: ${command}\nor run 'ents config unset ${TOKEN_COMMAND}'`,
    });
  }
}
