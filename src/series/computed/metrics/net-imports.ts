/** Net imports: what flows into a region, less what flows out of it. */
import type { TimeSeries } from "../../time-series.ts";
import { checkUnits, createItems, makeRows, type MetricContext } from "../computed-series.ts";
import { subtractDecimals } from "../decimals.ts";

const PARTS = ["flow_imports", "flow_exports"] as const;

export function computeNetImports(context: MetricContext): TimeSeries[] {
  const { timeSeries } = context;
  checkUnits(timeSeries, PARTS);
  const made = makeRows(context, { timeSeries, parts: PARTS }, (list, { at, counted: [own] }) => {
    const [imports = null, exports = null] = own?.values ?? [];
    list.add(at, subtractDecimals(imports, exports));
  });
  return createItems("net_imports", "MW", made);
}
