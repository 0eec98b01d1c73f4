import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Format, FormatOptions, Provenance } from "../../src/format/format.ts";
import { html } from "../../src/format/html.ts";
import { svg } from "../../src/format/picture/svg/svg.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { runs } from "../support/extent.ts";
import { eachPart, OPTIONS } from "./encode.ts";
import { createItem, QUERY } from "./pictures.ts";

/** As a library user would: nothing says where the data come from. */
function paint(
  format: Format,
  timeSeries: readonly TimeSeries[],
  { provenance, ...options }: Partial<FormatOptions> & { readonly provenance?: Provenance } = {},
): string {
  const encoder = format.open(
    { columns: [], printTimestamp: (timestamp) => timestamp, zone: createZone("network"), provenance },
    { ...OPTIONS, ...options },
  );
  const batch = { rows: () => [], placed: [], chunk: { heads: [], timeSeries } };
  return [...eachPart(encoder.write(batch)), ...eachPart(encoder.end())].join("");
}

test.each([
  [
    "https://api.openelectricity.org.au/",
    true,
    "Source: OpenElectricity, licence: Non-commercial use (community plan)",
  ],
  ["https://api.openelectricity.org.au/", false, "Source: OpenElectricity"],
  ["http://mirror.example:8080/v4/", true, "Source: mirror.example:8080, licence: Non-commercial use (community plan)"],
])("the source at the foot, of %s, with a licence: %s", (service, hasTerms, source) => {
  const terms = { plan: "community", license: "Non-commercial use", url: "https://example.org/plans" };
  const provenance = {
    version: "0",
    command: "ents",
    service,
    isSynthetic: false,
    query: QUERY,
    ...(hasTerms ? { terms } : {}),
  };
  for (const format of [svg, html])
    expect(paint(format, [power], { provenance })).toContain(source + (format === svg ? "<" : "; ents"));
});

const NASTY = [
  "</title><script>alert(1)</script>",
  `"'&<>`,
  "]]>",
  "\u001b[31m\u0000",
  "\u2028</script>",
  "x\ud800\uffff",
  "=1+1",
  "{{x}}",
];
const nasty = createItem(
  "price $/<MWh>&\"' 5m",
  NASTY.map((text) => [{ "re\"gion<'": text }, [1, 2]] as const),
);
const power = createItem("power MW 5m", [
  [{ fueltech: "coal_black" }, [5, 6, 7]],
  [{ fueltech: "wind" }, [1, null, 3]],
]);

describe("svg", () => {
  test("an area does not cross to the other side of the axis", () => {
    const net = createItem("power MW 5m", [
      [{ fueltech: "wind" }, [10, 10, 10, 10]],
      [{ fueltech: "battery" }, [2, 1, -1, -2]],
    ]);
    const parts = [...paint(svg, [net]).matchAll(/ d="([^"]*)"/g)].map(([, path = ""]) =>
      String(path.match(/M/g)?.length),
    );
    expect(parts.slice(0, 2).toSorted()).toEqual(["1", "2"]);
  });

  test("beside columns, points and areas stand in the middle of their intervals, too", () => {
    const values = [30, 10, 20, 40];
    const items = ["energy MWh 1d", "price $/MWh 1d", "power MW 1d"].map((kind) =>
      createItem(
        kind,
        ["coal_black", "wind"].map((fueltech) => [{ fueltech }, values] as const),
      ),
    );
    const paths = [...paint(svg, items).matchAll(/ d="([^"]*)"/g)].map(([, path = ""]) => path);
    const xs = (path: string, marks: RegExp) =>
      [...path.matchAll(marks)].map(([, x, width]) => Number(x) + Number(width ?? 0) / 2);
    const columns = xs(
      paths.find((path) => path.includes("h") && path.includes("z")) as string,
      /M([\d.]+),[\d.]+h([\d.]+)/g,
    );
    expect(columns).toHaveLength(4);
    const [line, area] = [/^M[^hZ]*$/, /^M[^h]*Z$/].map((shape) => paths.find((path) => shape.test(path)) as string);
    for (const path of [line, area]) {
      const points = xs(path as string, /[ML]([\d.]+),/g).slice(0, 4);
      points.forEach((x, index) => expect(x).toBeCloseTo(columns[index] as number, 0));
    }
  });

  test("is an image of the size asked for, with title and description", () => {
    const text = paint(svg, [power], { width: 800, height: 400 });
    expect(text).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="800" height="400" viewBox="0 0 800 400" role="img"/,
    );
    expect(text).toContain("<title>Power by fueltech (MW)</title>");
    expect(text).toContain("<desc>NEM, 1 Feb 2025 00:00 to 00:10, every 5 minutes, UTC+10:00</desc>");
    expect(text.endsWith("</svg>\n")).toBe(true);
  });

  test("the default is 960 wide, and taller for several units", () => {
    expect(paint(svg, [power])).toContain('viewBox="0 0 960 540"');
    expect(paint(svg, [power, createItem("emissions t 5m", [[{}, [1]]])])).toContain('viewBox="0 0 960 640"');
  });

  test("in a size too small to read, the picture is scaled down as a whole", () => {
    const text = paint(svg, [power], { width: 10, height: 10 });
    expect(text).toContain('width="10" height="10"');
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(text) ?? [];
    expect(Number(width)).toBeGreaterThan(100);
    expect(Number(height)).toBeGreaterThan(100);
    expect(text).not.toMatch(/NaN|Infinity|="-\d+"[^>]*(?:width|height)/);
  });

  test("no text of the service is markup, and no character is one that XML forbids", () => {
    const text = paint(svg, [nasty]);
    expect(text).not.toMatch(/<script|<\/script|"'&<|\]\]>[^<]*<!|[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Cs}/u);
    expect(text).toContain("&lt;/title&gt;&lt;script&gt;");
    expect(text).toContain("\\u001b[31m\\u0000");
  });

  test("the legend has figures", () => {
    const text = paint(svg, [power]);
    for (const figure of ["coal_black", "6.00", "81.8%", "wind", "2.00", "18.2%"])
      expect(text).toContain(`>${figure}</text>`);
  });

  test.each([
    ["no data", []],
    ["no values", [createItem("price $/MWh 5m", [[{}, [null, null]]])]],
  ])("says %s", (words, items) => {
    expect(paint(svg, items)).toContain(`>${words}</text>`);
  });

  test("many points are a small file with the one spike in it", () => {
    const spike = Array.from({ length: runs(20_000, 100_000) }, (_, index) =>
      index === 5_555 ? 16_600 : 60 + (index % 7),
    );
    const text = paint(svg, [createItem("price $/MWh 5m", [[{ region: "NSW1" }, spike]])]);
    expect(text.length).toBeLessThan(100_000);
    const heights = [...(/ d="([^"]+)"/.exec(text)?.[1]?.matchAll(/,([\d.]+)/g) ?? [])].map(([, y]) => Number(y));
    expect(heights.filter((y) => y < 150)).toHaveLength(1);
  });
});

describe("html", () => {
  test("nothing runs and nothing is loaded except what the page contains", () => {
    const text = paint(html, [power]);
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1] ?? "";
    const hashOf = (element: string) => {
      const content = new RegExp(`<${element}>([^]*?)</${element}>`).exec(text)?.[1] ?? "";
      return `&#39;sha256-${createHash("sha256").update(content).digest("base64")}&#39;`;
    };
    expect(policy.split("; ")).toEqual([
      "default-src &#39;none&#39;",
      `style-src ${hashOf("style")}`,
      `script-src ${hashOf("script")}`,
      "base-uri &#39;none&#39;",
      "form-action &#39;none&#39;",
    ]);
    expect(text).not.toMatch(/(?:src|href)=|url\(|@import| on\w+=| style=/);
  });

  test("no text of the service is markup or ends the data", () => {
    const text = paint(html, [nasty]);
    expect(text.match(/<\/?script/g)).toHaveLength(4);
    expect(text).not.toMatch(/[\u2028\u2029]/);
    const data = JSON.parse(/id="data">([^]*?)<\/script>/.exec(text)?.[1] ?? "") as {
      panels: { series: { name: string }[] }[];
    };
    expect(data.panels[0]?.series.map(({ name }) => name)).toEqual(
      expect.arrayContaining([NASTY[0], NASTY[1], "\\u2028</script>", "=1+1"]),
    );
  });

  test("a table has the figures of each series", () => {
    const text = paint(html, [power]);
    expect(text).toContain("<caption>Power (MW)</caption>");
    expect(text).toMatch(/coal_black<\/button><\/th><td>7.00<\/td><td>6.00<\/td><td>81.8%<\/td>/);
  });
});
