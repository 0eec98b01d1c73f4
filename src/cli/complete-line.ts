/** Suggests a command line for networks, regions or metrics typed without their command or flag: `ents price NSW`. */
import { type CommandName, findRegion, HOME_NETWORKS, isMetric, METRICS, type Metric, NETWORKS } from "../base/vocabulary.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../options/query-options.ts";
import { quote } from "./command.ts";
import { isFlag } from "./values.ts";

interface TypedLine {
  /** Undefined if none was typed. */
  readonly command?: CommandName | undefined;
  readonly words: readonly string[];
  readonly flags: readonly string[];
  /** True if a command has a flag. With an unknown flag, the suggestion omits all flags, since their values may be tokens. */
  readonly isFlagOf: (command: CommandName, flag: string) => boolean;
}

interface SuggestedLine {
  /** The first word without its command or flag. */
  readonly word: string;
  readonly kind: Kind;
  readonly line: string;
}

type Kind = "network" | "region" | "metric";

const { metrics: METRICS_OPTION, networkRegion: REGION_OPTION } = QUERY_OPTIONS;

/** What to put before a word, by its kind. */
export const FLAG_OF: Readonly<Record<Kind, string>> = {
  network: "a command",
  region: REGION_OPTION.short,
  metric: METRICS_OPTION.short,
};

export function findKind(word: string): Kind | undefined {
  if (Object.hasOwn(NETWORKS, word.toUpperCase())) return "network";
  if (findRegion(word) !== undefined) return "region";
  return isMetric(word.toLowerCase()) ? "metric" : undefined;
}

/** Undefined if every word is in its place, or if a word is ambiguous or unknown. */
export function suggestLine({ command, words, flags, isFlagOf }: TypedLine): SuggestedLine | undefined {
  const listOf = (kind?: Kind) => words.filter((word) => findKind(word) === kind);
  const misplaced = words.find((word) => !["network", undefined].includes(findKind(word))) ?? (command ? undefined : words[0]);
  const kind = misplaced === undefined ? undefined : findKind(misplaced);
  const metrics = listOf("metric").map((word) => word.toLowerCase());
  const regions = listOf("region").map((word) => findRegion(word) ?? word);
  // An unknown word may be a network of another service.
  const networks = [...listOf("network").map((word) => word.toUpperCase()), ...listOf()];
  // An unknown word may be a token, which is not shown.
  if (!listOf().every((word) => /^[a-z]{2,8}$/i.test(word))) return undefined;
  if (misplaced === undefined || kind === undefined || networks.length > 1 || (!command && listOf().length > 0)) return undefined;
  const meant = findCommand(metrics, command);
  const kept = flags.every((flag) => !isFlag(flag) || isFlagOf(meant, flag)) ? flags : [];
  const isAsked = kept.some((flag) => flag === METRICS_OPTION.short || flag.startsWith(QUERY_FLAGS.metrics));
  const shown = metrics.length > 0 || isAsked ? metrics : [findMetric(meant)];
  const home = HOME_NETWORKS.get(regions[0] ?? "");
  const network = networks[0] ?? home ?? "NEM";
  const ofNetwork = regions.filter((region) => networks[0] !== undefined || HOME_NETWORKS.get(region) === home);
  const line = [
    "ents",
    meant,
    network,
    ...(ofNetwork.length > 0 ? [REGION_OPTION.short, ...ofNetwork] : []),
    ...(shown.length > 0 ? [METRICS_OPTION.short, ...shown] : []),
    ...kept,
  ];
  return { word: misplaced, kind, line: line.map(quote).join(" ") };
}

/** The typed command if it has the metric, else the first command that has it. */
function findCommand([metric]: readonly string[], command: CommandName | undefined): CommandName {
  const offered: readonly CommandName[] = metric !== undefined && isMetric(metric) ? METRICS[metric].offeredBy : [];
  return command !== undefined && (offered.length === 0 || offered.includes(command)) ? command : (offered[0] ?? command ?? "network");
}

function findMetric(command: CommandName): Metric {
  const all = Object.keys(METRICS) as Metric[];
  return all.find((name) => METRICS[name].offeredBy.includes(command)) ?? "power";
}
