/** Another metric of an output that is updated: only what is new is asked for. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";

const DATES = "-i 1d -s 2025-01-10 -e 2025-02-05 --max-window 20d --sandbox -q".split(" ");

test.each([
  { line: "market NEM -r NSW1", first: "demand", later: "demand_gross demand", fresh: "demand_gross" },
  {
    line: "facilities NEM --facility bayswater hornsdale",
    first: "energy",
    later: "energy market_value",
    fresh: "market_value",
  },
  {
    line: "facilities NEM --facility-code BAYSW",
    first: "energy",
    later: "average_price energy",
    fresh: "market_value",
  },
])("ents $line: $first, then $later", async ({ line, first, later, fresh }) => {
  const home = createHome();
  const run = (metrics: string, ...flags: string[]) =>
    home.run([...line.split(" "), "-m", ...metrics.split(" "), ...DATES, ...flags]);
  await run(first, "--update", "-o", home.path("kept.csv"));
  const asked = (await run(later, "--update", "-o", home.path("kept.csv"), "--dry-run", "-f", "csv")).stdout;
  const metrics = asked.match(/(?<=\?metrics=)[^ ]*?(?=&interval)/g) ?? [];
  expect(new Set(metrics)).toEqual(new Set([fresh]));
  expect((await run(later, "--update", "-o", home.path("kept.csv"))).code).toBe(0);
  await run(later, "-o", home.path("new.csv"));
  expect(readFileSync(home.path("kept.csv"), "utf8")).toBe(readFileSync(home.path("new.csv"), "utf8"));
  // From then on, as every night.
  expect(await home.run(["update", home.path("kept.csv"), "-q"])).toMatchObject({ code: 0 });
  expect(readFileSync(home.path("kept.csv"), "utf8")).toBe(readFileSync(home.path("new.csv"), "utf8"));
  const fewer = await run(first, "--update", "-o", home.path("kept.csv"));
  expect(fewer).toMatchObject({ code: 2, stderr: expect.stringContaining("was written with -m") as string });
  const shown = await home.run(["show", home.path("kept.csv"), "-m", first, "-f", "csv"]);
  expect(shown.stdout).toBe((await run(first, "-f", "csv")).stdout);
});
