/** Finds the stored responses of an output that `--update` made, as they were when a run finished. */
import { lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { EntsError, usageError } from "../../base/errors.ts";
import { quote } from "../../base/phrases.ts";
import { findNetwork } from "../../base/vocabulary.ts";
import { describeSystemError } from "../../files/system-error.ts";
import { ResponseFolder } from "../../store/response-folder.ts";
import { findStored, type FinishedRun, type Journal, type RunOrigin, readJournal } from "../../store/journal.ts";
import { isAddress } from "../../options/address.ts";
import { LOOK_FLAGS } from "../../options/look-options.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { formatTimestamp, MINUTE } from "../../time/local-time.ts";
import { parseWhen } from "../../time/when.ts";

/** The path of an output, from its own or from that of its description or its stored responses. */
export function nameOutput(path: string): string {
  return path
    .replace(/(?<=.)[/\\]+$/, "")
    .replace(/(?:(?<=[^/\\])|(?<=.)[/\\])(?:\.ents|\.datapackage\.json|(?<=[/\\])_datapackage\.json)$/, "");
}

export interface StoredOutput {
  /** Its path, as the user wrote it. */
  readonly name: string;
  readonly isDataset: boolean;
  /** The folder of its stored responses. */
  readonly folderPath: string;
  readonly journal: Journal;
  /** Of its last run. */
  readonly last: FinishedRun;
  readonly network: string;
  /** UTC offset of network time in minutes, for times of the clock; 0 if it is unknown. */
  readonly offsetMinutes: number;
}

/** @throws {EntsError} usage: `--update` has not made the output; output: its journal cannot be read. */
export async function openStored(path: string, { cwd }: Pick<Context, "cwd">): Promise<StoredOutput> {
  const name = nameOutput(path);
  const has = async (file: string) => (await lstat(resolve(cwd, file)).catch(() => undefined)) !== undefined;
  const isDataset = await has(join(name, ".ents"));
  const folder = isDataset ? join(name, ".ents") : `${name}.ents`;
  const folderPath = resolve(cwd, folder);
  const journal = await readJournal(folderPath).catch((cause: unknown) => {
    throw new EntsError("output", `cannot read ${folder}: ${describeSystemError(cause)}`, { cause });
  });
  const { last } = journal;
  if (!last) throw (await has(folder)) ? refuseUnfinished(name) : refuseNotStored(name, await has(name));
  const network = last.query["network"] as string;
  return {
    name,
    isDataset,
    folderPath,
    journal,
    last,
    network,
    offsetMinutes: findNetwork(network)?.offsetMinutes ?? 0,
  };
}

function refuseUnfinished(name: string): EntsError {
  return usageError(`no update of ${name} has finished, or its journal is lost`, `run 'ents update ${name}' first`);
}

function refuseNotStored(name: string, exists: boolean): EntsError {
  const problem = exists
    ? `${name} has no stored responses: it was not made with ${UPKEEP_FLAGS.update}`
    : `there is no output ${name}`;
  return usageError(
    problem,
    `make one with ${UPKEEP_FLAGS.update}: ents network NEM -m power -i 1h -s -7d ${UPKEEP_FLAGS.update} -o ${quote(name)}`,
  );
}

/** An output as a run left it. */
export interface StoredRun extends StoredOutput {
  /** Has the journal up to this run, and what was stored then. */
  readonly folder: ResponseFolder;
  readonly run: FinishedRun;
  readonly window: NonNullable<FinishedRun["window"]>;
  readonly made: RunOrigin;
  /** When the run began, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** When the run was done, if it is not the last one that is shown; in the same unit. */
  readonly asOf: number | undefined;
}

/**
 * Goes back to the last run that finished at or before a moment; without one, to the last of all.
 * @throws {EntsError} usage: there was none, or responses of that time were not kept.
 */
export async function goBack(output: StoredOutput, asOf: string | undefined, context: Context): Promise<StoredRun> {
  const { name, isDataset, journal, last, network, offsetMinutes } = output;
  const { runs } = journal;
  const show = ({ at }: FinishedRun) => formatTimestamp(at + offsetMinutes * MINUTE, offsetMinutes);
  const moment =
    asOf === undefined ? undefined : parseWhen(asOf, "end", { network, offsetMinutes, now: context.now() });
  const run = runs.findLast(({ at }) => moment === undefined || at - (at % 1000) + offsetMinutes * MINUTE <= moment);
  if (!run)
    throw usageError(`${name} did not exist at ${asOf}`, `it was first made at ${show(runs[0] as FinishedRun)}`);
  const service = run.query["service"] as string;
  const options = {
    output: name,
    isDataset,
    service: isAddress(service) ? service : "sandbox",
    startedAt: context.now(),
  };
  const folder = new ResponseFolder(options, context);
  await folder.look();
  const paths = await folder.listAll();
  const stored = findStored(paths, runs, run);
  await folder.lookBack(run, stored ?? []);
  const { made } = folder.journal;
  if (stored && made && run.window)
    return {
      ...output,
      journal: folder.journal,
      folder,
      run,
      window: run.window,
      made,
      now: Math.min(run.run, run.at),
      asOf: asOf === undefined ? undefined : run.at,
    };
  if (stored && run === last) throw refuseUnfinished(name);
  const next = runs.find((later) => later.run > run.run && later.window && findStored(paths, runs, later));
  throw usageError(
    `${name} cannot be shown as of ${show(run)}: responses of that time were not kept`,
    `${next ? `use ${LOOK_FLAGS.asOf} ${show(next)} or later\n` : ""}to keep them from now on, add ${UPKEEP_FLAGS.history} to its updates`,
  );
}
