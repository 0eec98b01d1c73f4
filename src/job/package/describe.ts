/** `--datapackage`: describes a file in another one beside it. */
import { basename, dirname } from "node:path";
import type { Context } from "../../base/context.ts";
import { EntsError, usageError } from "../../base/errors.ts";
import type { Encoding } from "../../format/encode.ts";
import type { Provenance } from "../../format/format.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { type Describe, syncDirectory } from "../destination/file.ts";
import { findDescriptor } from "../destination/interface.ts";
import { type FileTarget, resolveTarget, toFileError } from "../destination/target.ts";
import { openTemporary, removeLeftovers } from "../destination/temporary.ts";
import type { Output } from "../output.ts";
import { describeResult } from "./describe-result.ts";
import { ResultLog } from "./result-log.ts";

export interface Describer {
  /** Takes note of what is encoded, from its start. */
  readonly watch: (encoding: Encoding) => Encoding;
  readonly describe: Describe;
}

interface Described {
  readonly output: Output;
  /** With the whole query. */
  readonly provenance: Provenance;
}

/** @throws {EntsError} usage: the output is no file; output: its description cannot be written. */
export async function createDescriber({ output, provenance }: Described, context: Context): Promise<Describer> {
  const { target } = output;
  if (target?.kind !== "file") throw usageError(`${UPKEEP_FLAGS.datapackage} needs a file`, "use the name of a file");
  const descriptor = await resolveDescriptor(target, context);
  let log = new ResultLog();
  return {
    watch: (encoding) => {
      log = new ResultLog();
      return log.watch(encoding);
    },
    describe: ({ bytes, hash }) => {
      const files = [{ path: basename(target.path), bytes, hash, rows: log.rows }];
      return finishFile(descriptor, describeResult({ output, provenance, log, files }), context);
    },
  };
}

async function resolveDescriptor({ name }: FileTarget, context: Context): Promise<FileTarget> {
  const descriptor = await resolveTarget(findDescriptor(name), context);
  if (descriptor.kind === "file") return descriptor;
  throw new EntsError("output", `cannot write ${descriptor.name}: it is not a regular file`, {
    hint: `move it away: ents writes the description of ${name} there`,
  });
}

async function finishFile({ name, path, old }: FileTarget, text: string, { process, signal }: Context): ReturnType<Describe> {
  const fail = (error: unknown): never => {
    throw toFileError(error, name, old !== undefined);
  };
  signal.throwIfAborted();
  const { write, finish, place, discard } = await openTemporary(path, { old, process }).catch(fail);
  try {
    await write(text);
    await finish();
  } catch (error) {
    await discard();
    fail(error);
  }
  return {
    place: async () => {
      await place(path).catch(fail);
      await syncDirectory(dirname(path));
      // Not before: one of them may be that of the old file.
      await removeLeftovers(path, process);
    },
    discard,
  };
}
