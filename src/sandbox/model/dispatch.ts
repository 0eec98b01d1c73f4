import type { Capacity } from "./capacity.ts";
import type { Row, RowSupply } from "./rows.ts";

/** MW that a region's kinds of plant give in each interval. */
export interface Dispatch {
  readonly coal: Row;
  readonly hydro: Row;
  /** By place in MERIT_ORDER. */
  readonly gas: readonly Row[];
  /** Wind and solar that nobody could take. */
  readonly curtailedWind: Row;
  readonly curtailedSolar: Row;
  /** What was asked of the region's firm plant: demand less wind, solar, bioenergy and batteries, plus net exports. */
  readonly need: Row;
}

export interface Call {
  readonly need: Row;
  readonly wind: Row;
  readonly solar: Row;
  readonly capacity: Capacity;
  /** MW of wind and of solar above which the lines are full. */
  readonly lineLimit: { readonly wind: number; readonly solar: number };
}

const COAL_FLOOR = 0.38;
const COAL_CEILING = 0.94;
const LINE_LOSS = 0.3;

/** Coal carries the base between its floor and ceiling, hydro and gas share what is left; below coal's floor, wind and solar are curtailed. */
export function computeDispatch(call: Call, rows: RowSupply): Dispatch {
  const dispatch = {
    coal: rows.take(), hydro: rows.take(), gas: call.capacity.gas.map(() => rows.take()),
    curtailedWind: rows.take(), curtailedSolar: rows.take(), need: call.need,
  };
  const { coal, hydro, gas } = call.capacity;
  const peakers = gas.reduce((sum, each) => sum + each, 0);
  const hydroShare = hydro / Math.max(1, hydro + peakers);
  for (let i = 0; i < call.need.length; i++) {
    const need = call.need[i]!;
    const base = Math.min(COAL_CEILING * coal, Math.max(COAL_FLOOR * coal, 0.9 * need));
    dispatch.coal[i] = base;
    const rest = need - base;
    curtail(dispatch, call, { at: i, surplus: Math.max(0, -rest) });
    dispatch.hydro[i] = Math.min(0.95 * hydro, Math.max(0, rest) * hydroShare);
    stackGas(dispatch.gas, gas, { at: i, megawatts: Math.max(0, rest) - dispatch.hydro[i]! });
  }
  return dispatch;
}

function curtail(dispatch: Dispatch, call: Call, cut: { at: number; surplus: number }): void {
  const wind = call.wind[cut.at]!;
  const solar = call.solar[cut.at]!;
  const share = Math.min(1, cut.surplus / Math.max(1, wind + solar));
  dispatch.curtailedWind[cut.at] = Math.max(wind * share, LINE_LOSS * Math.max(0, wind - call.lineLimit.wind));
  dispatch.curtailedSolar[cut.at] = Math.max(solar * share, LINE_LOSS * Math.max(0, solar - call.lineLimit.solar));
}

function stackGas(gas: readonly Row[], capacity: readonly number[], call: { at: number; megawatts: number }): void {
  let left = call.megawatts;
  for (let level = 0; level < gas.length; level++) {
    const given = Math.min(left, 0.97 * capacity[level]!);
    gas[level]![call.at] = given;
    left -= given;
  }
}
