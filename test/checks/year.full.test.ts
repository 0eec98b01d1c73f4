/** No check finds anything in a year of the sandbox, of every command. */
import { expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";

const OUTPUTS = [
  "market NEM -m price demand demand_energy curtailment renewable_proportion -i 1h -g region",
  "market NEM -m price demand demand_energy curtailment renewable_proportion -i 1h",
  "market NEM -m demand_energy -i 1d -g region",
  "network NEM -m power energy emissions market_value -g region fueltech -i 1h",
  "network NEM -m power energy emissions market_value -g fueltech -i 1h",
  "network NEM -m energy emissions market_value -g fueltech -i 1d",
  "facilities NEM -m power energy -i 1h --fueltech battery battery_charging battery_discharging solar_utility coal_black wind",
  "facilities NEM -m power -i 30m --fueltech solar_utility",
  "network WEM -m power energy -g fueltech -i 1M",
];

test("all checks are made, and nothing is found", async () => {
  const home = createHome();
  const names = OUTPUTS.map((_, index) => `${index}.csv`);
  for (const [index, line] of OUTPUTS.entries()) {
    const { code } = await home.run([
      ...line.split(" "),
      ..."-s 2025-01-01 -e 2025-12-31 --update --sandbox -q -o".split(" "),
      names[index] as string,
    ]);
    expect(code).toBe(0);
  }
  expect(await home.run(["check", ...names])).toMatchObject({
    code: 0,
    stdout: "output,check,metric,timestamp,until,found,expected\n",
    stderr:
      "ents: note: 8 checks made (energy-power, regions, battery-net, day-hours, night-solar, capacity, price-limits, proportions), nothing found\n",
  });
}, 300_000);
