/** The three data commands: query, output and fetch flags, and their export. */
import type { Context } from "../base/context.ts";
import { formatList } from "../base/phrases.ts";
import { isMetric } from "../base/computed-metrics.ts";
import { type CommandName, findNetwork, NETWORKS, QUOTAS } from "../base/vocabulary.ts";
import { findKind, isOtherName } from "../cli/complete-line.ts";
import { type CommandEntry, type CommandSpec, defineCommand, type Example } from "../cli/command.ts";
import { describeFormat, type FormatName, nameFormats } from "../format/registry.ts";
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import { FETCH_OPTIONS, type FetchValues } from "../options/fetch-options.ts";
import { PICK_FLAGS, PICK_OPTIONS, readPicks } from "../options/list-options.ts";
import { QUERY_OPTIONS, QUERY_FLAGS } from "../options/query-options.ts";
import { UPKEEP_OPTIONS } from "../options/upkeep-options.ts";
import { optionsOf } from "../options/spec.ts";
import type { Query } from "../query/query.ts";
import { formatLocalTime, formatTimestamp, type LocalTime } from "../time/local-time.ts";
import { openZone } from "../time/open-zone.ts";
import type { Zone } from "../time/zone.ts";

const VALUES = [
  "Separate several values with spaces or commas, or repeat the flag.",
  "@file reads one value per line; @- reads standard input. # starts a comment at",
  "the start of a line or after a space.",
  `A community key, or none, has data of the last ${QUOTAS.community.historyDays} days; 'ents whoami' shows`,
  "the limits of yours, and --dry-run what it cannot get.",
  "Times are network time; a time with an offset, such as 2025-01-31T14:05Z",
  "or 2025-01-31T14:05+11:00, is converted.",
];

const NOTES = {
  Values: VALUES,
  "Every night": [
    "To keep a file current, make it with --update; 'ents update' then brings it up",
    "to date. See 'ents update --help' for cron, and for the history of values",
    "'ents log --help' and 'ents show --help'.",
  ],
};

/** `codesHint`: the flags to put before codes. */
function createDataCommand(name: CommandName, codesHint: string, examples: readonly Example[]): CommandSpec {
  return defineCommand({
    arguments: [networkArgument(name)],
    argumentsHint: `put -m before metrics, --during before a date, ${codesHint}`,
    options: groupOptions(name),
    notes: NOTES,
    examples,
    run: async ({ arguments: [network], options: given, context, report, describe }) => {
      const [{ resolveQuery }, { noteDoubts }, { resolveOutput }, { exportData }] = await Promise.all([
        import("../query/query.ts"),
        import("../query/notes.ts"),
        import("../export/output.ts"),
        import("../export/export.ts"),
      ]);
      const options = given.latest
        ? { ...given, ...(await import("../export/choose-analysis.ts")).findLatestWindow(given) }
        : given;
      const zone = await openZone(options.timeZone);
      const { query, notes, warnings, partial } = resolveQuery(options, {
        command: name,
        network,
        now: context.now(),
        zone,
      });
      const picks = name === "facilities" ? readPicks(options) : undefined;
      if (options.pivot !== undefined || query.computation)
        (await import("../query/checks.ts")).checkNeeds(query, { ...options, isChosen: picks !== undefined });
      const kind = options.dryRun ? "plan" : "series";
      const output = await resolveOutput(options, context, { kind, query, partial, now: context.now(), describe });
      const fixed = {
        ...(options.update || options.follow ? {} : fixWindow(query, zone)),
        ...fixAddress(options, context),
      };
      await exportData(
        {
          query,
          notes: [...notes, ...noteDoubts(query, options, { now: context.now(), zone })],
          warnings: isMarked(output, options.dryRun) ? warnings : [...warnings, ...partial.map(({ text }) => text)],
          output: { ...output, formatOptions: { ...output.formatOptions, partial } },
          options,
          picks,
          follow: options.follow ? (await import("../follow/follow.ts")).followPlan : undefined,
          rerunCommand: describe(fixed),
          command: describe({
            ...fixed,
            overwrite: undefined,
            ...(options.recheck === "all" ? { recheck: undefined } : {}),
          }),
        },
        context,
        report,
      );
    },
  });
}

function networkArgument(name: CommandName) {
  const networks = formatList(Object.keys(NETWORKS), "or");
  return {
    name: "network_code",
    kind: "network",
    hint: `name a network, such as ${networks}: ents ${name} NEM --metrics ${name === "market" ? "price" : "power"}`,
    sample: "NEM",
    recognize: recognizeNetwork,
    isMisplaced: (word: string) => isOtherName(word) || !["network", undefined].includes(findKind(word, name)),
    redirect: (word: string) =>
      word === "list" ? `ents list ${name === "facilities" ? name : "networks"}` : undefined,
  } as const;
}

/** The flags of a command by help heading. The type omits the pick flags. */
function groupOptions(name: CommandName) {
  const query = { "What to fetch": optionsOf(QUERY_OPTIONS, name) };
  const others = {
    Output: optionsOf(OUTPUT_OPTIONS, name),
    "Keep current": nameFormats(UPKEEP_OPTIONS),
    "Network and retries": FETCH_OPTIONS,
  };
  return name === "facilities" ? { ...query, Filters: PICK_OPTIONS, ...others } : { ...query, ...others };
}

/** True if the output itself says which intervals are partial. */
export function isMarked({ formatName }: { readonly formatName: FormatName }, dryRun: boolean): boolean {
  return describeFormat(formatName).marksPartial === true && !dryRun;
}

/**
 * Replaces the window by its dates: tomorrow, `yesterday` and `--last` mean another window. In a zone, they have their
 * offset.
 */
function fixWindow({ network, window: { start, end }, measuredUntil }: Query, zone: Zone) {
  const offset = zone.offsetAt && findNetwork(network)?.offsetMinutes;
  const print = (at: LocalTime) => (offset === undefined ? formatLocalTime(at) : formatTimestamp(at, offset));
  return {
    last: undefined,
    during: undefined,
    ...(measuredUntil === undefined ? { complete: undefined } : {}),
    dateStart: start === undefined ? undefined : print(start),
    dateEnd: end === undefined ? undefined : print(end),
  };
}

/** `ENTS_BASE_URL` as a flag, since it may be set for this command only. */
function fixAddress({ baseUrl, sandbox }: FetchValues, { env }: Context) {
  return baseUrl || sandbox ? {} : { baseUrl: env["ENTS_BASE_URL"] || undefined };
}

/** A known network in any case, or a word among the metrics that looks like a network. */
function recognizeNetwork(word: string, flag?: string): string | undefined {
  const code = word.toUpperCase();
  if (Object.hasOwn(NETWORKS, code)) return code;
  return flag === "metrics" && /^[A-Z][A-Z0-9]*$/.test(word) && !isMetric(word) ? word : undefined;
}

const regionHint = `and ${QUERY_OPTIONS.networkRegion.short} before regions`;

export const network = createDataCommand("network", regionHint, [
  { command: "ents network NEM --metrics power energy", does: "the service's default window and interval" },
  { command: "ents network NEM -m power -i 5m --last 1d -g fueltech", does: "one day by fueltech" },
  {
    command: "ents network NEM -m power -i 5m --last 12h -g fueltech -f chart --follow",
    does: "a live chart, redrawn with each new interval",
  },
  {
    command: "ents network NEM -m energy -i 1d --last 30d --complete -r NSW1 -o nsw.csv",
    does: "30 days of one region, into a file",
  },
]);

export const market = createDataCommand("market", regionHint, [
  { command: "ents market NEM -m price demand -i 5m --last 12h -r SA1", does: "price and demand of one region" },
  {
    command: "ents market NEM -m price -i 1h --last 1d -g region --pivot region -f csv",
    does: "hourly prices, one column per region",
  },
  { command: "ents market NEM -m price -i 5m --last 1h -g region --follow", does: "prices as they come, until Ctrl-C" },
  {
    command: "ents market NEM -m price -i 1h -s 2026-01-01 -o prices.csv --update",
    does: "a file for a nightly job; each run adds new data",
  },
]);

const { facilityCode, unitCode } = QUERY_FLAGS;
const codesHint = `${PICK_FLAGS.facility} before a name, and ${facilityCode} or ${unitCode} before codes`;

export const facilities = createDataCommand("facilities", codesHint, [
  {
    command: "ents facilities NEM -m power --facility-code BAYSW MP -i 1h --last 2d",
    does: "the units of two power stations",
  },
  {
    command: "ents facilities NEM -m power -g facility -r SA1 --fueltech wind --last 2h",
    does: "the wind farms of South Australia, their units added up",
  },
  {
    command: "ents facilities NEM -m energy --facility-code @codes.txt -i 1d --last 7d",
    does: "codes from a file, one per line",
  },
]);

/** The commands that an output can be made with. */
export const DATA_COMMANDS: readonly CommandEntry[] = Object.entries({ network, facilities, market }).map(
  ([name, spec]) => ({
    name,
    summary: "",
    load: async () => spec,
  }),
);
