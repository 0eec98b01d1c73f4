/** The unit of a metric may change within a result: rows keep their own, but values of two units are not compared. */
import { EntsError } from "../base/errors.ts";
import type { TimeSeries } from "./time-series.ts";

export type UnitWatch = (item: TimeSeries) => void;

/** Calls back once per metric whose unit changes; by default, throws {EntsError} refused. */
export function watchUnits(onChange: (...change: Parameters<typeof refuseUnit>) => void = throwRefusal): UnitWatch {
  const units = new Map<string, string | undefined>();
  return ({ network, metric, unit, series }) => {
    if (series.length === 0) return;
    const key = JSON.stringify([network, metric]);
    if (!units.has(key)) units.set(key, unit);
    const first = units.get(key);
    if (first === undefined || first === unit) return;
    units.set(key, undefined);
    onChange(metric, first, unit);
  };
}

export function warnOfUnits(warn: (text: string) => void): UnitWatch {
  return watchUnits((metric, first, unit) =>
    warn(`the unit of ${metric} changes (${first}, then ${unit}); each row keeps its own`),
  );
}

function throwRefusal(...change: Parameters<typeof refuseUnit>): never {
  throw refuseUnit(...change);
}

/** Of values that are compared, or have one header. */
export function refuseUnit(metric: string, first: string, unit: string): EntsError {
  const hint =
    "ask for the time before the change and after it apart; or for all rows, each with its unit: --shape long";
  return new EntsError("refused", `the service sent ${metric} in ${first || "no unit"} and in ${unit || "no unit"}`, {
    hint,
  });
}
