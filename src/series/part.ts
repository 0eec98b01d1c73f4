import { findOffsetMs } from "./network-offset.ts";
import { type Answer, isKnown } from "./answer.ts";
import { splitTimeSeries } from "./overlap.ts";

/** An answer with its points of a part of its window alone, in network time, the end excluded; by default all. */
export function takePart(answer: Answer, network: string, part: { readonly from: number; readonly until: number } | undefined): Answer {
  if (!part || !isKnown(answer)) return answer;
  const offset = findOffsetMs(network, answer.timeSeries) ?? 0;
  const [, rest] = splitTimeSeries(answer.timeSeries, part.from - offset);
  const [timeSeries] = splitTimeSeries(rest, part.until - offset);
  return { ...answer, timeSeries, whole: answer.timeSeries };
}
