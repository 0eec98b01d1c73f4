/** The three data commands: query, output and fetch flags, and their export. */
import type { Context } from "../base/context.ts";
import { formatList } from "../base/phrases.ts";
import { type CommandName, isMetric, NETWORKS } from "../base/vocabulary.ts";
import { type CommandSpec, defineCommand, type Example } from "../cli/command.ts";
import { nameFormats } from "../format/name-formats.ts";
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import { FETCH_OPTIONS, type FetchValues } from "../options/fetch-options.ts";
import type { PickValues } from "../options/list-options.ts";
import { QUERY_OPTIONS } from "../options/query-options.ts";
import { UPKEEP_OPTIONS } from "../options/upkeep-options.ts";
import { type OptionTable, optionsOf } from "../options/spec.ts";
import type { Query } from "../query/query.ts";
import { formatLocalTime } from "../time/local-time.ts";

export interface DataCommand {
  readonly name: CommandName;
  readonly examples: readonly Example[];
  /** Where codes go. */
  readonly codesHint: string;
  /** Flags that pick units from a list, and are not sent. */
  readonly pick?: { readonly options: OptionTable; readonly read: (options: Readonly<Record<string, unknown>>) => PickValues | undefined };
}

export function createDataCommand({ name, examples, codesHint, pick }: DataCommand): CommandSpec {
  return defineCommand({
    arguments: [
      {
        name: "network_code",
        kind: "network",
        hint: `name a network, such as ${formatList(Object.keys(NETWORKS), "or")}: ents ${name} NEM --metrics ${name === "market" ? "price" : "power"}`,
        recognize: recognizeNetwork,
        redirect: (word: string) => (word === "list" ? `ents list ${name === "facilities" ? name : "networks"}` : undefined),
      },
    ],
    argumentsHint: `one network at a time; ${codesHint}`,
    options: groupOptions(name, pick?.options),
    notes: {
      Values: [
        "Separate several values with spaces or commas, or repeat the flag.",
        "@file reads one value per line; @- reads standard input. # starts a comment at",
        "the start of a line or after a space.",
        "Times are network time; a time with an offset, such as 2025-01-31T14:05Z",
        "or 2025-01-31T14:05+11:00, is converted.",
      ],
    },
    examples,
    run: async ({ arguments: [network], options, context, report, describe }) => {
      const [{ resolveQuery }, { resolveOutput }, { exportData }] = await Promise.all([
        import("../query/query.ts"),
        import("../job/output.ts"),
        import("../job/export.ts"),
      ]);
      const { query, warnings } = resolveQuery(options, { command: name, network, now: context.now() });
      if (options.pivot !== undefined && !options.allowUnknown) {
        const { checkPivot } = await import("../query/pivot.ts");
        checkPivot(options.pivot, query);
      }
      const output = await resolveOutput(options, context, options.dryRun ? "plan" : "series");
      await exportData(
        {
          query,
          warnings,
          output,
          options,
          picks: pick?.read(options),
          rerunCommand: describe({ ...(options.update || options.follow ? {} : fixWindow(query)), ...fixAddress(options, context) }),
        },
        context,
        report,
      );
    },
  });
}

/** The flags of a command by their heading. Their type leaves out those that pick. */
function groupOptions(name: CommandName, picking: OptionTable | undefined) {
  const Query = optionsOf(QUERY_OPTIONS, name);
  const others = { Output: optionsOf(OUTPUT_OPTIONS, name), "Keep current": nameFormats(UPKEEP_OPTIONS), Fetch: FETCH_OPTIONS };
  return picking ? { Query, "Pick units": picking, ...others } : { Query, ...others };
}

/** The window as dates: `yesterday` and `--last` mean another one tomorrow. */
function fixWindow({ window: { start, end } }: Query) {
  return {
    last: undefined,
    complete: undefined,
    dateStart: start === undefined ? undefined : formatLocalTime(start),
    dateEnd: end === undefined ? undefined : formatLocalTime(end),
  };
}

/** `ENTS_BASE_URL` as a flag: it may have been set for this command alone. */
function fixAddress({ baseUrl, sandbox }: FetchValues, { env }: Context) {
  return baseUrl || sandbox ? {} : { baseUrl: env["ENTS_BASE_URL"] || undefined };
}

/** A known network in any case, or a metric's place taken by a word like a network. */
function recognizeNetwork(word: string, flag?: string): string | undefined {
  const code = word.toUpperCase();
  if (Object.hasOwn(NETWORKS, code)) return code;
  return flag === "metrics" && /^[A-Z][A-Z0-9]*$/.test(word) && !isMetric(word) ? word : undefined;
}
