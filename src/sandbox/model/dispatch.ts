import { BIOENERGY_USE, type Capacity, COAL_FLOOR } from "./capacity.ts";
import type { DayRow, RowSupply } from "./rows.ts";

/** MW of output by kind of plant, for each interval. */
export interface Dispatch {
  readonly coal: DayRow;
  readonly hydro: DayRow;
  readonly bioenergy: DayRow;
  /** By index in MERIT_ORDER. */
  readonly gas: readonly DayRow[];
  /** Curtailed shares of the available wind and solar. */
  readonly cut: { readonly wind: DayRow; readonly solar: DayRow };
  /** The load on the region's firm plant: demand less wind, solar, bioenergy and batteries, plus net exports. */
  readonly need: DayRow;
}

export interface DispatchInput {
  readonly need: DayRow;
  readonly wind: DayRow;
  readonly solar: DayRow;
  readonly capacity: Capacity;
  /** MW of wind and of solar above which transmission is constrained. */
  readonly lineLimit: { readonly wind: number; readonly solar: number };
}

const COAL_CEILING = 0.94;
const LINE_LOSS = 0.3;

/** Coal runs between its floor and ceiling, hydro and gas share the rest; below coal's floor, wind and solar are curtailed. */
export function computeDispatch(call: DispatchInput, rows: RowSupply): Dispatch {
  const { coal, hydro, gas, bioenergy } = call.capacity;
  const dispatch = {
    coal: rows.take(),
    hydro: rows.take(),
    bioenergy: rows.take().fill(BIOENERGY_USE * bioenergy),
    gas: gas.map(() => rows.take()),
    cut: { wind: rows.take(), solar: rows.take() },
    need: call.need,
  };
  const peakers = gas.reduce((sum, each) => sum + each, 0);
  const hydroShare = hydro / Math.max(1, hydro + peakers);
  for (let i = 0; i < call.need.length; i++) {
    const need = call.need[i]!;
    const base = Math.min(COAL_CEILING * coal, Math.max(COAL_FLOOR * coal, 0.9 * need));
    const rest = need - base;
    dispatch.coal[i] = base;
    dispatch.hydro[i] = Math.min(0.95 * hydro, Math.max(0, rest) * hydroShare);
    curtail(dispatch, call, { at: i, surplus: Math.max(0, -rest) });
    stackGas(dispatch.gas, gas, { at: i, megawatts: Math.max(0, rest) - dispatch.hydro[i]! });
  }
  return dispatch;
}

function curtail(dispatch: Dispatch, call: DispatchInput, { at, surplus }: { at: number; surplus: number }): void {
  const wind = call.wind[at]!;
  const solar = call.solar[at]!;
  const share = Math.min(1, surplus / Math.max(1, wind + solar));
  dispatch.cut.wind[at] = Math.max(share, lostOnLines(wind, call.lineLimit.wind));
  dispatch.cut.solar[at] = Math.max(share, lostOnLines(solar, call.lineLimit.solar));
}

function lostOnLines(available: number, limit: number): number {
  return available > limit ? (LINE_LOSS * (available - limit)) / available : 0;
}

function stackGas(gas: readonly DayRow[], capacity: readonly number[], call: { at: number; megawatts: number }): void {
  let left = call.megawatts;
  for (let level = 0; level < gas.length; level++) {
    const output = Math.min(left, 0.97 * capacity[level]!);
    gas[level]![call.at] = output;
    left -= output;
  }
}
