import { utcDay, utcMonth, utcYear } from "d3-time";
import { utcFormat } from "d3-time-format";
import { INTERVALS } from "../../base/vocabulary.ts";
import type { TimeAxis } from "./picture.ts";

const printTime = utcFormat("%H:%M");
const printDay = utcFormat("%-d %b");
const printMonth = utcFormat("%b");
const printMonthOfYear = utcFormat("%b %Y");
const printYear = utcFormat("%Y");

/** As short as the ticks allow: the day stands at midnight, the year in January, else at its first tick. */
export function createTimePrinter(walls: readonly number[], bucket: TimeAxis["interval"]): (wall: number, index: number) => string {
  const isOn = (interval: typeof utcDay) => walls.every((wall) => Number(interval(new Date(wall))) === wall);
  if (!isOn(utcDay)) return (wall) => (Number(utcDay(new Date(wall))) === wall ? printDay : printTime)(new Date(wall));
  // One time alone does not show how far it is to the next.
  const isShort = walls.length === 1 && (bucket === undefined || "ms" in INTERVALS[bucket].bucket);
  if (isShort || !isOn(utcMonth)) return (wall) => printDay(new Date(wall));
  if (isOn(utcYear)) return (wall) => printYear(new Date(wall));
  return (wall, index) => {
    const date = new Date(wall);
    const previous = walls[index - 1];
    if (date.getUTCMonth() === 0) return printYear(date);
    const isNewYear = previous === undefined || new Date(previous).getUTCFullYear() !== date.getUTCFullYear();
    return (isNewYear ? printMonthOfYear : printMonth)(date);
  };
}
