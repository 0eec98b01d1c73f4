import type { Command, CommanderError } from "commander";

/** A command line that commander refuses; explain.ts says what is wrong with it. */
export class Misuse extends Error {
  readonly error: CommanderError;
  readonly command: Command;

  constructor(error: CommanderError, command: Command) {
    super(error.message);
    this.error = error;
    this.command = command;
  }
}
