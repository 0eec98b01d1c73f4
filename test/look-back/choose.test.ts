/** `ents show` chooses among the series that are kept. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { createHome, type Home } from "../support/run-ents.ts";

let home: Home;

beforeAll(async () => {
  home = createHome();
  const outputs = [
    "market NEM -m price demand -i 1h -s 2025-01-30 -e 2025-01-31 -g region -o market.csv",
    "network NEM -m energy market_value -i 1d -s 2025-01-29 -e 2025-01-31 -g fueltech -o fuels.csv",
    "facilities NEM -m energy -i 1d -s 2025-01-29 -e 2025-01-31 --facility bayswater hornsdale -o units.csv",
  ];
  for (const line of outputs) await home.run([...line.split(" "), "--update", "--sandbox", "-q"]);
});

const show = (line: string) => home.run(["show", ...line.split(" ")]);

test.each([
  ["market.csv -m price -r sa1 VIC1", "market NEM -m price -i 1h -s 2025-01-30 -e 2025-01-31 -r SA1 VIC1"],
  [
    "market.csv -m demand_weighted_price -r SA1",
    "market NEM -m demand_weighted_price -i 1h -s 2025-01-30 -e 2025-01-31 -r SA1",
  ],
  [
    "market.csv -m price --minus VIC1 --rolling 3h",
    "market NEM -m price -i 1h -s 2025-01-30 -e 2025-01-31 -g region --minus VIC1 --rolling 3h",
  ],
  [
    "fuels.csv -m average_price --fueltech wind",
    "network NEM -m average_price -i 1d -s 2025-01-29 -e 2025-01-31 --fueltech wind",
  ],
  ["units.csv -r SA1", "facilities NEM -m energy -i 1d -s 2025-01-29 -e 2025-01-31 --facility hornsdale"],
  [
    "units.csv --fueltech coal_black --unit-code BW02",
    "facilities NEM -m energy -i 1d -s 2025-01-29 -e 2025-01-31 --unit-code BW02",
  ],
  [
    "units.csv --facility-code BAYSW",
    "facilities NEM -m energy -i 1d -s 2025-01-29 -e 2025-01-31 --facility bayswater",
  ],
])("ents show %s is as ents %s", async (shown, asked) => {
  const own = await show(`${shown} -f csv`);
  const plain = await home.run([...asked.split(" "), "-f", "csv", "--sandbox", "-q"]);
  // What comes before the kept window is missing.
  const known = (text: string) => text.split("\n").filter((line) => !/T0[01]:.*,$|2025-01-30T0[01]/.test(line));
  expect(known(own.stdout)).toEqual(known(plain.stdout));
  expect(own.stdout.split("\n").length).toBeGreaterThan(3);
});

test("a column for each chosen value, and no other", async () => {
  await show(`market.csv -m price -r SA1 NSW1 --pivot region -o ${home.path("pivot.csv")}`);
  expect(readFileSync(home.path("pivot.csv"), "utf8")).toMatch(/^timestamp,network,NSW1,SA1\n/);
});

test.each([
  ["market.csv -r XX1", "nothing is kept of the region XX1", "use NSW1, QLD1, SA1, TAS1 or VIC1"],
  ["market.csv -m energy", "energy is not kept for market.csv", "use price or demand"],
  ["market.csv --fueltech wind", "the kept series have no fueltech", "leave the flag out"],
])("ents show %s is refused, and nothing is written", async (line, problem, way) => {
  const { code, stderr } = await show(`${line} -o ${home.path("none.csv")}`);
  expect({ code, stderr }).toEqual({ code: 2, stderr: `ents: ${problem}\n      ${way}\n` });
  expect(() => readFileSync(home.path("none.csv"))).toThrow("ENOENT");
});

test("--require-none is exit code 7 if a kept value is beyond, once it is printed", async () => {
  const line = "market.csv -m price -r QLD1 --during 2025-01-31 --require-none -f csv";
  const some = await show(`${line} --above 300`);
  expect(some).toMatchObject({
    code: 7,
    stderr: expect.stringContaining("ents: 2 values of price are above 300\n") as string,
  });
  expect(some.stdout.trimEnd().split("\n")).toHaveLength(3);
  expect(await show(`${line} --above 3000`)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("no price is above 3000") as string,
  });
});
