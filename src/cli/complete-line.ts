/** Suggests a command line for words typed without their command or flag: `ents price NSW`, `ents market NEM price yesterday`. */
import { type CommandName, findRegion, HOME_NETWORKS, isMetric, METRICS, type Metric, NETWORKS } from "../base/vocabulary.ts";
import { PICK_FLAGS } from "../options/list-options.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../options/query-options.ts";
import { isPeriod } from "../time/when.ts";
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

type Kind = "network" | "region" | "metric" | "date" | "name";

const { metrics: METRICS_OPTION, networkRegion: REGION_OPTION, dateStart: START, dateEnd: END } = QUERY_OPTIONS;
const WINDOW_FLAGS = [START.short, END.short, QUERY_FLAGS.dateStart, QUERY_FLAGS.dateEnd, QUERY_FLAGS.last, QUERY_FLAGS.during];

/** What to put before a word, by its kind. */
export const FLAG_OF: Readonly<Record<Kind, string>> = {
  network: "a command",
  region: REGION_OPTION.short,
  metric: METRICS_OPTION.short,
  date: QUERY_FLAGS.during,
  name: PICK_FLAGS.facility,
};

export function findKind(word: string, command?: CommandName): Kind | undefined {
  if (Object.hasOwn(NETWORKS, word.toUpperCase())) return "network";
  if (findRegion(word) !== undefined) return "region";
  if (isPeriod(word.toLowerCase())) return "date";
  if (toMetric(word) !== undefined) return "metric";
  // Network codes are in capitals, and tokens have digits.
  return command === "facilities" && /^(?!list$)[a-z]{3,20}$/.test(word) ? "name" : undefined;
}

/** `price` for `Price` and `prices`. */
function toMetric(word: string): Metric | undefined {
  return [word.toLowerCase(), word.toLowerCase().replace(/s$/, "")].find(isMetric);
}

/** Undefined if every word is in its place, or if a word is ambiguous or unknown. */
export function suggestLine({ command, words, flags, isFlagOf }: TypedLine): SuggestedLine | undefined {
  const listOf = (kind?: Kind) => words.filter((word) => findKind(word, command) === kind);
  const misplaced = words.find((word) => !["network", undefined].includes(findKind(word, command))) ?? (command ? undefined : words[0]);
  const kind = misplaced === undefined ? undefined : findKind(misplaced, command);
  const metrics = listOf("metric").map((word) => toMetric(word) ?? word);
  const names = listOf("name");
  const dates = listOf("date").map((word) => word.toLowerCase());
  const regions = listOf("region").map((word) => findRegion(word) ?? word);
  // An unknown word may be a network of another service.
  const networks = [...listOf("network").map((word) => word.toUpperCase()), ...listOf()];
  // An unknown word may be a token, which is not shown.
  if (!listOf().every((word) => /^[a-z]{2,8}$/i.test(word))) return undefined;
  if (misplaced === undefined || kind === undefined || networks.length > 1 || (!command && listOf().length > 0)) return undefined;
  if (dates.length > 1 || (dates.length > 0 && flags.some((flag) => WINDOW_FLAGS.includes(flag.split("=")[0] ?? "")))) return undefined;
  const meant = findCommand([...metrics, ...flags.filter(isMetric)], command);
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
    ...(names.length > 0 ? [PICK_FLAGS.facility, names.join(" ")] : []),
    ...(shown.length > 0 ? [METRICS_OPTION.short, ...shown] : []),
    ...(dates.length > 0 ? [QUERY_FLAGS.during, ...dates] : []),
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
