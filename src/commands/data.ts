/** What the three data commands share: query, output and fetch flags, and the way from them to an export. */
import type { CommandSpec, Example, Invocation } from "../cli/command.ts";
import { describeCommand } from "../cli/describe-command.ts";
import { usageError } from "../base/errors.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { OUTPUT_OPTIONS } from "../options/output-options.ts";
import { QUERY_OPTIONS, type QueryInput } from "../options/query-options.ts";
import { flagOf, type OptionTable, optionsOf } from "../options/spec.ts";
import type { Query } from "../query/query.ts";
import { formatLocalTime } from "../time/local-time.ts";
import { type CommandName, isMetric, NETWORKS } from "../base/vocabulary.ts";

export interface DataCommand {
  readonly name: CommandName;
  readonly examples: readonly Example[];
}

export function createDataCommand({ name, examples }: DataCommand): CommandSpec {
  const query: OptionTable = Object.fromEntries(optionsOf(QUERY_OPTIONS, name));
  return {
    arguments: ["<network_code>"],
    options: { Query: query, Output: OUTPUT_OPTIONS, Fetch: FETCH_OPTIONS },
    notes: {
      Values: [
        "A flag of several values takes them after spaces, after commas, or repeated. @file has one a line",
        "(# begins a comment); @- is standard input. Times are network time; one with an offset, such as",
        "2025-01-31T14:05Z or 2025-01-31T14:05+11:00, is converted to it.",
      ],
    },
    examples,
    run: (invocation) => runDataCommand(name, query, invocation),
  };
}

async function runDataCommand(
  command: CommandName,
  table: OptionTable,
  { arguments: [network], values, context, report }: Invocation,
): Promise<void> {
  if (network === undefined) throw missingNetwork(command, table, values);
  const [{ parseOptions }, { buildQuery }, { resolveOutput }, { exportData }] = await Promise.all([
    import("../options/parse.ts"),
    import("../query/query.ts"),
    import("../job/output.ts"),
    import("../job/export.ts"),
  ]);
  const input: QueryInput = Object.fromEntries(Object.entries(values).filter(([key]) => Object.hasOwn(table, key)));
  const { query, warnings } = buildQuery({ command, network, input, now: context.now() });
  const output = await resolveOutput(parseOptions(OUTPUT_OPTIONS, values), context.stdout);
  for (const warning of warnings) report.warn(warning);
  if (output.note !== undefined) report.note(output.note);
  const fetch = parseOptions(FETCH_OPTIONS, values);
  const again = describeCommand([command, network], { ...table, ...OUTPUT_OPTIONS, ...FETCH_OPTIONS }, { ...values, ...fixWindow(query) });
  await exportData({ query, output, fetch, again }, context, report);
}

/** The window in absolute terms: tomorrow, `yesterday` and `--last` mean another. */
function fixWindow({ window: { start, end } }: Query): Record<string, unknown> {
  return {
    last: undefined,
    dateStart: start === undefined ? undefined : formatLocalTime(start),
    dateEnd: end === undefined ? undefined : formatLocalTime(end),
  };
}

/** A list flag takes all words that follow it, the network code too. */
function missingNetwork(command: CommandName, table: OptionTable, values: Readonly<Record<string, unknown>>): Error {
  const lists = Object.entries(table).filter(([, spec]) => spec.list);
  for (const [key, spec] of lists) {
    const swallowed = (values[key] as string[] | undefined)?.find((value) => looksLikeNetwork(value, key));
    if (swallowed === undefined) continue;
    return usageError(
      `the network code is missing: ${flagOf(key, spec)} took "${swallowed}" for one of its values`,
      `put the network code first: ents ${command} ${swallowed} ${flagOf(key, spec)} ...`,
    );
  }
  return usageError(
    "the network code is missing",
    `name a network, such as ${Object.keys(NETWORKS).join(", ")}: ents ${command} NEM --metrics power`,
  );
}

function looksLikeNetwork(value: string, key: string): boolean {
  return Object.hasOwn(NETWORKS, value) || (key === "metrics" && /^[A-Z][A-Z0-9]*$/.test(value) && !isMetric(value));
}
