/**
 * Suggests a command line for words typed without their command or flag: `ents price NSW`, `ents market NEM price
 * yesterday`.
 */
import { ALL_METRICS, isMetric } from "../base/computed-metrics.ts";
import { quote } from "../base/phrases.ts";
import { type CommandName, findNetworkCode, findRegion, HOME_NETWORKS } from "../base/vocabulary.ts";
import { PICK_FLAGS } from "../options/list-options.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../options/query-options.ts";
import { isPeriod } from "../time/when.ts";
import { isFlag } from "./values.ts";

interface MistypedLine {
  /** Undefined if none was typed. */
  readonly command?: CommandName | undefined;
  readonly words: readonly string[];
  readonly flags: readonly string[];
  /**
   * True if a command has a flag. With an unknown flag, the suggestion omits all flags, since their values may be
   * tokens.
   */
  readonly isFlagOf: (command: CommandName, flag: string) => boolean;
  /**
   * The flag of a command that has this word as a choice, with the choice: `--interval 1M` for `monthly`. Empty if none
   * has.
   */
  readonly findChoice: (command: CommandName, word: string) => readonly string[];
}

interface SuggestedLine {
  /** The first word without its command or flag, and what it needs: `"price" is a metric: put -m before it`. */
  readonly problem: string;
  readonly line: string;
}

type WordKind = "network" | "region" | "metric" | "date" | "name";

const { metrics: METRICS_OPTION, networkRegion: REGION_OPTION, dateStart: START, dateEnd: END } = QUERY_OPTIONS;
const WINDOW_FLAGS = [
  START.short,
  END.short,
  QUERY_FLAGS.dateStart,
  QUERY_FLAGS.dateEnd,
  QUERY_FLAGS.last,
  QUERY_FLAGS.during,
];

/** What to put before a word, by its kind. */
const FLAG_OF: Readonly<Record<WordKind, string>> = {
  network: "a command",
  region: REGION_OPTION.short,
  metric: METRICS_OPTION.short,
  date: QUERY_FLAGS.during,
  name: PICK_FLAGS.facility,
};

const FILLERS = /^(by|per|for|in|of|the|from|and|on|at)$/i;

export function findKind(word: string, command?: CommandName): WordKind | undefined {
  if (findNetworkCode(word) !== undefined) return "network";
  if (findRegion(word) !== undefined) return "region";
  if (isPeriod(word.toLowerCase())) return "date";
  if (toMetric(word) !== undefined) return "metric";
  // Network codes are in capitals, and tokens have digits.
  return command === "facilities" && /^(?!list$)[a-z]{3,20}$/.test(word) ? "name" : undefined;
}

/** True for another name of a network than its code: `WA`. */
export function isOtherName(word: string): boolean {
  return findByOtherName(word) !== undefined;
}

function findByOtherName(word: string): string | undefined {
  const code = findNetworkCode(word);
  return code === word.toUpperCase() ? undefined : code;
}

/** `price` for `Price` and `prices`. */
function toMetric(word: string): string | undefined {
  return [word.toLowerCase(), word.toLowerCase().replace(/s$/, "")].find(isMetric);
}

/** Undefined if every word is in its place, or if a word is ambiguous or unknown. */
export function suggestLine({ command, words: typed, flags, ...tables }: MistypedLine): SuggestedLine | undefined {
  const words = typed.filter((word) => !FILLERS.test(word));
  const metrics = words.flatMap((word) => (findKind(word, command) === "metric" ? (toMetric(word) ?? []) : []));
  const meant = findCommand([...metrics, ...flags.filter(isMetric)], command);
  const findChoice = (word: string) =>
    [undefined, "name"].includes(findKind(word, command)) ? tables.findChoice(meant, word) : [];
  const listOf = (kind?: WordKind) =>
    words.filter((word) => findKind(word, command) === kind && findChoice(word).length === 0);
  const dates = listOf("date").map((word) => word.toLowerCase());
  // Beside a region, `WA` is another one, which a request cannot have.
  const isMeant = (word: string) => !isOtherName(word) || listOf("region").length === 0;
  const [unknown, known] = [
    listOf(),
    listOf("network")
      .filter(isMeant)
      .map((word) => findNetworkCode(word) ?? word),
  ];
  // After a command, an unknown word may be a network of another service, or a token, which is not shown. Otherwise it
  // is left out.
  const networks = command ? [...known, ...unknown] : known;
  if (
    networks.length > 1 ||
    (command ? !unknown.every((word) => /^[a-z]{2,8}$/i.test(word)) : unknown.includes(words[0] ?? ""))
  )
    return undefined;
  if (dates.length > 1 || (dates.length > 0 && flags.some((flag) => WINDOW_FLAGS.includes(flag.split("=")[0] ?? ""))))
    return undefined;
  const isPlaced = (word: string) => [undefined, "network"].includes(findKind(word, command)) && !isOtherName(word);
  const misplaced = words.find((word) => !isPlaced(word) || findChoice(word).length > 0);
  const problem = describeProblem(misplaced ?? (command ? undefined : words[0]), command, findChoice);
  if (problem === undefined) return undefined;
  const choices = words.flatMap((word) => findChoice(word)).map((choice) => choice.split(" "));
  const isRepeated = new Set(choices.map(([flag]) => flag)).size < choices.length;
  if (isRepeated || (meant !== "facilities" && listOf("name").length > 0)) return undefined;
  const regions = listOf("region").map((word) => findRegion(word) ?? word);
  const home = HOME_NETWORKS.get(regions[0] ?? "");
  const kept = flags.every((flag) => !isFlag(flag) || tables.isFlagOf(meant, flag)) ? flags : [];
  const isAsked = kept.some((flag) => flag === METRICS_OPTION.short || flag.startsWith(QUERY_FLAGS.metrics));
  const values: readonly (readonly [flag: string, values: readonly string[]])[] = [
    [REGION_OPTION.short, regions.filter((region) => networks[0] !== undefined || HOME_NETWORKS.get(region) === home)],
    [PICK_FLAGS.facility, listOf("name").length > 0 ? [listOf("name").join(" ")] : []],
    [METRICS_OPTION.short, metrics.length > 0 || isAsked ? metrics : [findSampleMetric(meant)]],
    [QUERY_FLAGS.during, dates],
  ];
  const flagged = values.flatMap(([flag, list]) => (list.length > 0 ? [flag, ...list] : []));
  const line = ["ents", meant, networks[0] ?? home ?? "NEM", ...flagged, ...choices.flat(), ...kept];
  return { problem, line: line.map((word) => quote(word)).join(" ") };
}

function describeProblem(
  word: string | undefined,
  command: CommandName | undefined,
  findChoice: (word: string) => readonly string[],
): string | undefined {
  if (word === undefined) return undefined;
  const [choice] = findChoice(word);
  if (choice !== undefined) return `"${word}" needs its flag: ${choice}`;
  const network = findByOtherName(word);
  if (network !== undefined) return `"${word}" is network ${network}`;
  const kind = findKind(word, command);
  return kind && `"${word}" is a ${kind}: put ${FLAG_OF[kind]} before it`;
}

/** The typed command if it has the metric, else the first command that has it. */
function findCommand([metric]: readonly string[], command: CommandName | undefined): CommandName {
  const offered: readonly CommandName[] = ALL_METRICS[metric ?? ""]?.offeredBy ?? [];
  return command !== undefined && (offered.length === 0 || offered.includes(command))
    ? command
    : (offered[0] ?? command ?? "network");
}

function findSampleMetric(command: CommandName): string {
  return Object.keys(ALL_METRICS).find((name) => ALL_METRICS[name]?.offeredBy.includes(command)) ?? "power";
}
