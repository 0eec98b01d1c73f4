/** Numbers in the prose of the pages match the source. The blocks are run by examples.test.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatNumber } from "../../src/base/phrases.ts";
import { INTERVALS } from "../../src/base/intervals.ts";
import { MAX_CODES, NETWORKS, QUOTAS } from "../../src/base/vocabulary.ts";
import { OUTPUT_OPTIONS } from "../../src/format/output-options.ts";
import { FETCH_OPTIONS } from "../../src/options/fetch-options.ts";
import { flagOf, type OptionSpec } from "../../src/options/spec.ts";
import { listPages, readPage, ROOT, stripBlocks } from "./markdown.ts";

interface Fact {
  readonly what: string;
  /** Captures the number. */
  readonly pattern: RegExp;
  readonly isTrue: (number: string, match: RegExpMatchArray) => boolean;
}

const { engines, devEngines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly engines: { readonly node: string };
  readonly devEngines: { readonly runtime: { readonly version: string } };
};
const DEFAULTS = new Map(
  Object.entries<OptionSpec>({ ...FETCH_OPTIONS, ...OUTPUT_OPTIONS }).map(([key, spec]) => [
    flagOf(key, spec),
    String(spec.default),
  ]),
);
const FIVE_MINUTES = INTERVALS["5m"].maxDays;
const is = (expected: number) => (number: string) => number === formatNumber(expected);

const FACTS: readonly Fact[] = [
  {
    what: "codes of a request",
    pattern: /(\d[\d,]*)[ -](?:facility |unit |facility or unit )?codes?\b/g,
    isTrue: is(MAX_CODES),
  },
  {
    what: "days of a request at five minutes",
    pattern: /at five minutes, (\d[\d,]*) days/g,
    isTrue: is(FIVE_MINUTES.community),
  },
  {
    what: "days that a key reaches back",
    pattern: /reaches back (\d[\d,]*) days/g,
    isTrue: is(QUOTAS.community.historyDays),
  },
  {
    what: "requests for all of them",
    pattern: /at five minutes, that is about (\d[\d,]*) requests/g,
    isTrue: is(Math.ceil(QUOTAS.community.historyDays / FIVE_MINUTES.community)),
  },
  {
    what: "the same without an end",
    pattern: /about (\d[\d,]*) without an end/g,
    isTrue: is(Math.ceil(QUOTAS.community.historyDays / (FIVE_MINUTES.community - 1))),
  },
  { what: "requests a day", pattern: /of its (\d[\d,]*) a day/g, isTrue: is(QUOTAS.community.perDay) },
  {
    what: "the default of a flag",
    pattern: /`(--[\w-]+)`[^`(|]*\((?:default )?(\d+(?: ?(?:s|GiB)\b)?)/g,
    isTrue: (_, [, flag = "", value = ""]) => DEFAULTS.get(flag) === value.replace(" ", ""),
  },
  {
    what: "the offset of a network",
    pattern: /UTC\+(\d+) in the (\w+)/g,
    isTrue: (hours, [, , code = ""]) =>
      (NETWORKS as Record<string, { readonly offsetMinutes: number }>)[code]?.offsetMinutes === Number(hours) * 60,
  },
  {
    what: "the Node that is needed",
    pattern: /Node (\d+[.][\d.]*\d) or later/g,
    isTrue: (release) => [engines.node, devEngines.runtime.version].some((range) => range.includes(release)),
  },
];

const prose = listPages()
  .filter((page) => page !== "CHANGELOG.md")
  .map((page) => stripBlocks(readPage(page)))
  .join("\n");

test.each(FACTS)("$what", ({ pattern, isTrue }) => {
  const found = [...prose.matchAll(pattern)];
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((match) => !isTrue(match[1] ?? "", match)).map(([text]) => text)).toEqual([]);
});
