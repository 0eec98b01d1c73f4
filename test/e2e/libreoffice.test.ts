/** LibreOffice reads from a workbook what csv has for the same request. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { CUT, fetchWhole, QUERY, runIn, startWorldService } from "../faults/world-service.ts";
import { FULL, isDue } from "../support/extent.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { envelope } from "./envelopes.ts";
import { NASTY_LABELS, toPlainRows } from "./read-xlsx.ts";

const hasLibreOffice = FULL && spawnSync("soffice", ["--version"]).status === 0;

/** Separator, quote, UTF-8, from the first line, English (US); values as typed, not as shown; every worksheet. */
const FILTER = "csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,false,false,false,false,-1";

/** The rows of a worksheet with full dates and all digits, as LibreOffice would type them. */
function convert(home: Home, name: string): (sheet: string) => string[][] {
  const profile = `-env:UserInstallation=file://${home.path("profile")}`;
  execFileSync(
    "soffice",
    [profile, "--headless", "--convert-to", FILTER, "--outdir", home.folder, home.path(`${name}.xlsx`)],
    {
      stdio: "pipe",
    },
  );
  return (sheet) => {
    const rows: string[][] = parse(readFileSync(home.path(`${name}-${sheet}.csv`)), { relax_column_count: true });
    return toPlainRows(rows).map((row) => row.map((cell) => cell ?? ""));
  };
}

/** Brings booleans, numbers and disarmed formulas to one spelling. */
function normalize(rows: readonly (readonly string[])[]): string[][] {
  return rows.map((row) =>
    row.map((cell) => {
      if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell)) return String(Number(Number(cell).toPrecision(15)));
      if (/^(?:true|false)$/i.test(cell)) return cell.toLowerCase();
      return cell.replace(/^'(?=[=+\-@])/, "");
    }),
  );
}

describe.skipIf(!FULL || !isDue(hasLibreOffice)).concurrent("LibreOffice reads", () => {
  test.for([
    ["--shape wide", "--shape wide"],
    ["--shape long", "--shape long"],
    ["--shape wide --interval-end", "--interval-end"],
    ["--shape wide --time-zone Australia/Sydney", "--time-zone Australia/Sydney"],
    ["--pivot region --allow-unknown", "--pivot region --allow-unknown"],
  ])("the rows of csv %s", async ([csvLine = "", line = ""]) => {
    const home = createHome();
    const service = await startWorldService();
    expect(await runIn({ home, service }, [...QUERY, ...CUT, "-o", "out.xlsx", ...line.split(" ")])).toMatchObject({
      code: 0,
    });
    const csv = await fetchWhole(QUERY, ["-f", "csv", "--time-format", "local", ...csvLine.split(" ")]);
    const read = convert(home, "out");
    expect(normalize(read("Data"))).toEqual(normalize(parse(csv)));
    expect(read("Source")).toContainEqual(["service", `${service.url}/`]);
  });

  test("days as dates; without data, only the header", async () => {
    const home = createHome();
    const query = [
      "market",
      "NEM",
      "-m",
      "price",
      "demand",
      "-i",
      "1d",
      "-s",
      "2024",
      "-e",
      "2024",
      "--sandbox",
      "--group-by",
      "region",
    ];
    await home.run([...query, "-o", "days.xlsx"]);
    const { stdout } = await home.run([...query, "--shape", "wide", "--time-format", "local", "-f", "csv"]);
    expect(normalize(convert(home, "days")("Data"))).toEqual(normalize(parse(stdout.replaceAll(" 00:00:00", ""))));
    await runIn({ home, service: await startWorldService({ world: { series: [] } }) }, [...QUERY, "-o", "none.xlsx"]);
    expect(convert(home, "none")("Data")).toEqual([["timestamp", "network", "power", "energy"]]);
  });

  test("labels as text: no formula runs, and no character is lost", async () => {
    const points = [["2025-01-01T00:00:00+10:00", 1]] as const;
    const series = NASTY_LABELS.map((unit_code) => ({ labels: { unit_code }, points }));
    const service = await startService(() => ({ body: envelope([{ series }]) }));
    const home = createHome();
    await runIn({ home, service }, ["facilities", "NEM", "-m", "power", "-o", "out.xlsx"]);
    const labels = convert(
      home,
      "out",
    )("Data")
      .slice(1)
      .map((row) => row[2]);
    // LibreOffice keeps only one kind of line ending in cells.
    expect(new Set(labels)).toEqual(new Set(NASTY_LABELS.map((label) => label.replace(/\r\n?/g, "\n"))));
  });
});
