/**
 * Checks where an output's numbers came from, according to its description, by marks that each response bears in its
 * values.
 */
import { expect } from "vitest";
import type { ScriptedService } from "../support/scripted-service.ts";

/**
 * The response to each request bears its number in the last digits of every value, in the version and in `created_at`.
 */
export function markAnswer(text: string, request: number): string {
  const { version, created_at } = describeResponse(request);
  return text
    .replace(/(?<="version":")[^"]*/, version)
    .replace(/(?<="created_at":")[^"]*/, created_at)
    .replaceAll(/(?<=\.\d\d)(?=\])/g, String(request).padStart(4, "0"));
}

function describeResponse(request: number): { version: string; created_at: string } {
  return { version: `4.4.${request}`, created_at: new Date(Date.UTC(2020, 2, 15) + request * 1000).toISOString() };
}

const MARK = /(?<=\.\d\d)\d{4}(?!\d)/g;

/** An output without the marks; answers to different requests then look the same. */
export function dropMarks(text: string): string {
  return text.replaceAll(MARK, "");
}

export interface DescribedRequest {
  readonly path: string;
  readonly version?: string;
  readonly created_at?: string;
  readonly rows_from?: string;
}

interface Row {
  /** As it is in the output. */
  readonly text: string;
  /** Milliseconds since 1970 UTC. */
  readonly instant: number;
}

/** The response of a row: the last one whose rows begin at or before it. */
function findOrigin(requests: readonly DescribedRequest[], instant: number): DescribedRequest | undefined {
  return requests.findLast(({ rows_from: from }) => from !== undefined && Date.parse(from) <= instant);
}

/** Expects the values of the rows to be from the responses that the description names. */
function expectOrigin(requests: readonly DescribedRequest[], rows: readonly Row[], service: ScriptedService): void {
  const pairs = rows.flatMap(({ text, instant }) => {
    const named = findOrigin(requests, instant);
    return Array.from(text.matchAll(MARK), ([mark]) => {
      const { url } = service.requests[Number(mark)] ?? {};
      return [
        { text, ...named },
        { text, path: url, ...describeResponse(Number(mark)), rows_from: named?.rows_from },
      ] as const;
    });
  });
  expect(pairs.map(([named]) => named)).toEqual(pairs.map(([, own]) => own));
}

/** Expects each row of a csv file to be from the response that the description names; its values all bear marks. */
export function expectAllOrigins(requests: readonly DescribedRequest[], csv: string, service: ScriptedService): void {
  const rows = listRows(csv);
  expect(rows.filter(({ text }) => text.search(MARK) < 0)).toEqual([]);
  expectOrigin(requests, rows, service);
}

/** For a long csv file. */
function listRows(csv: string): Row[] {
  const lines = csv.trimEnd().split("\n").slice(1);
  return lines.map((text) => ({ text, instant: Date.parse(text.slice(0, text.indexOf(","))) }));
}
