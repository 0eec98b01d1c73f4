/** `--datapackage`: writes a description of a file next to it. */
import { basename, dirname } from "node:path";
import type { Context } from "../../base/context.ts";
import { EntsError, usageError } from "../../base/errors.ts";
import type { Encoding } from "../../format/encode.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { type DescribeFile, syncDirectory } from "../destination/file.ts";
import { findDescriptor } from "../destination/interface.ts";
import { type FileTarget, resolveTarget, toFileError } from "../destination/target.ts";
import { finishTemporary, removeLeftovers } from "../../files/temporary.ts";
import type { PlannedJob } from "../job.ts";
import { describeResult, ResultLog } from "./describe-result.ts";

/** Prepares the description of an encoding. The caller must add `log` to the observers. */
export type Describer = (encoding: Encoding) => { readonly log: ResultLog; readonly describe: DescribeFile };

/** @throws {EntsError} usage: the output is not a file; output: its description cannot be written. */
export async function createDescriber(job: PlannedJob): Promise<Describer> {
  const { context, output } = job;
  const { target } = output;
  if (target?.kind !== "file") throw usageError(`${UPKEEP_FLAGS.datapackage} needs a file`, "use the name of a file");
  const descriptor = await resolveDescriptor(target, context);
  return ({ gaps }) => {
    const log = new ResultLog();
    const describe: DescribeFile = (file) => {
      const files = [{ path: basename(target.path), ...file, rows: log.rows, values: log.values }];
      return finishFile(descriptor, describeResult(job, { log, gaps, files }), context);
    };
    return { log, describe };
  };
}

async function resolveDescriptor({ name }: FileTarget, context: Context): Promise<FileTarget> {
  const descriptor = await resolveTarget(findDescriptor(name), context);
  if (descriptor.kind === "file") return descriptor;
  throw new EntsError("output", `cannot write ${descriptor.name}: it is not a regular file`, {
    hint: `move it away: ents writes the description of ${name} there`,
  });
}

async function finishFile(
  { name, path, old }: FileTarget,
  text: string,
  { process, signal }: Context,
): ReturnType<DescribeFile> {
  const fail = (error: unknown): never => {
    throw toFileError(error, name, old !== undefined);
  };
  signal.throwIfAborted();
  const { place, discard } = await finishTemporary(path, text, { old, process }).catch(fail);
  return {
    place: async () => {
      await place(path).catch(fail);
      await syncDirectory(dirname(path));
      // Not earlier: a leftover may be the description of the old file.
      await removeLeftovers(path, process);
    },
    discard,
  };
}
