/** svg and html as a browser (headless Chromium) shows them. */
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { NO_SCREEN } from "../../src/format/format.ts";
import { svg } from "../../src/format/picture/svg/svg.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { hasChromium, type OpenPage, type Page, startChromium } from "../support/chromium.ts";
import { FULL, isDue } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { eachPart } from "../unit/encode.ts";
import { answers, readBody, toBody } from "../unit/generators.ts";

const POWER = "network NEM -m power -i 1h -s 2025-01-30 -e 2025-02-01 --group-by fueltech --raw-names --sandbox".split(
  " ",
);

describe.runIf(FULL && isDue(hasChromium))("in a browser", () => {
  const home = createHome();
  let open: OpenPage;

  beforeAll(() => {
    open = startChromium();
  });

  const openOutput = async (args: readonly string[], name: string) => {
    const { code, stderr } = await home.run([...args, "-o", name]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return open(home.path(name));
  };

  test("svg of any response is well-formed XML", async () => {
    writeFileSync(home.path("empty.html"), "<title>empty</title>");
    const { evaluate } = await open(home.path("empty.html"));
    const documents = fc.sample(answers, 300).map((items) => {
      const encoder = svg.open(
        { columns: [], printTimestamp: (timestamp) => timestamp, zone: createZone("network") },
        { header: true, screen: NO_SCREEN },
      );
      const timeSeries = readBody(toBody(items));
      return [
        ...eachPart(encoder.write({ rows: () => [], placed: [], chunk: { heads: [], timeSeries } })),
        ...eachPart(encoder.end()),
      ].join("");
    });
    const count = `${JSON.stringify(documents)}.filter((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")).length`;
    expect(await evaluate(count)).toBe(0);
  });

  test("svg is an image of its size without a complaint", async () => {
    const { evaluate, complaints } = await openOutput([...POWER, "--width", "700"], "power.svg");
    expect(await evaluate("[document.documentElement.tagName, innerWidth > 0, document.title]")).toEqual([
      "svg",
      true,
      "Power by fueltech (GW)",
    ]);
    expect(await evaluate("document.documentElement.getBoundingClientRect().width")).toBe(700);
    expect(complaints).toEqual([]);
  });

  test("the values under the pointer are those of the csv", async () => {
    const csv = await home.run([...POWER.filter((word) => word !== "--raw-names"), "-f", "csv"]);
    const sent = new Map(
      csv.stdout.split("\n").map((line) => [line.split(",").slice(0, -1).join(","), line.split(",").at(-1)]),
    );
    const page = await openOutput(POWER, "power.html");
    await page.evaluate("document.querySelector('.wide').focus()");
    for (const [keys, timestamp] of [
      [["Home"], "2025-01-30T00:00:00+10:00"],
      [["ArrowRight", "ArrowRight"], "2025-01-30T02:00:00+10:00"],
      [["End", "ArrowLeft"], "2025-02-01T22:00:00+10:00"],
    ] as const) {
      for (const key of keys) await press(page, key);
      const { title, rows } = await readTip(page);
      expect(title).toBe(`${timestamp.slice(0, 16).replace("T", " ")} (GW)`);
      const { total, ...own } = rows;
      const known = Object.entries(own).filter(([name]) => !name.endsWith(" others"));
      expect(known.length).toBeGreaterThan(8);
      for (const [name, value] of known) {
        expect(value).toMatch(/^-?\d+\.\d{3}$/);
        // A page shows thousandths of a GW.
        expect(
          Math.abs(1000 * Math.abs(Number(value)) - Number(sent.get(`${timestamp},NEM,power,MW,${name}`))),
        ).toBeLessThanOrEqual(0.5);
      }
      const sum = Object.values(own).reduce((all, value) => all + Number(value), 0);
      expect(Number(total)).toBeCloseTo(sum, 1);
    }
    expect(page.complaints).toEqual([]);
  });

  test("the pointer finds the time, and leaving hides the values", async () => {
    const page = await openOutput(POWER, "power.html");
    const { x, y, width, height } = (await page.evaluate(
      "document.querySelector('.wide').getBoundingClientRect().toJSON()",
    )) as DOMBox;
    await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: x + width / 2, y: y + height / 2 });
    expect((await readTip(page)).title).toMatch(/^2025-01-31 \d\d:00 \(GW\)$/);
    await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 1, y: 1 });
    expect(await page.evaluate("document.getElementById('tip').hidden")).toBe(true);
  });

  test("the legend switches series with the keyboard, and the stack is redrawn", async () => {
    const page = await openOutput(POWER, "power.html");
    const pathOf = (name: string) =>
      page.evaluate(
        `[...document.querySelectorAll("g.series")].find((one) => one.textContent === "${name}").querySelector("path").getAttribute("d")`,
      );
    const topOf = (path: unknown) => Math.min(...[...String(path).matchAll(/,([\d.]+)/g)].map(([, at]) => Number(at)));
    const before = await pathOf("wind");
    const button = `[...document.querySelectorAll("button")].find((one) => one.textContent === "coal_black")`;
    const topTick = () => page.evaluate(`[...document.querySelectorAll(".wide .values text")].at(-1).textContent`);
    const tick = await topTick();
    await page.evaluate(`${button}.focus()`);
    await press(page, " ");
    expect(await page.evaluate(`${button}.getAttribute("aria-pressed")`)).toBe("false");
    expect(await pathOf("wind")).not.toBe(before);
    // The axis fits what is left.
    expect(Number(await topTick())).toBeLessThan(Number(tick));
    await page.evaluate("document.querySelector('.wide').focus()");
    await press(page, "Home");
    expect(Object.keys((await readTip(page)).rows)).not.toContain("coal_black");
    await page.evaluate(`${button}.focus()`);
    await press(page, "Enter");
    expect(await page.evaluate(`${button}.getAttribute("aria-pressed")`)).toBe("true");
    expect(topOf(await pathOf("wind"))).toBeCloseTo(topOf(before), 0);
    expect(await topTick()).toBe(tick);
    expect(page.complaints).toEqual([]);
  });

  test("lines move with the axis when the highest is switched off", async () => {
    const prices =
      "market NEM -m demand -i 1h -s 2025-01-30 -e 2025-02-01 --group-by region --raw-names --sandbox".split(" ");
    const page = await openOutput(prices, "demand.html");
    const topOf = (name: string) =>
      page.evaluate(
        `[...document.querySelectorAll(".wide g.series")].find((one) => one.textContent === "${name}").querySelector("path").getBoundingClientRect().top`,
      );
    const before = Number(await topOf("TAS1"));
    for (const name of ["NSW1", "QLD1", "VIC1"])
      await page.evaluate(
        `[...document.querySelectorAll("button")].find((one) => one.textContent === "${name}").click()`,
      );
    expect(Number(await topOf("TAS1"))).toBeLessThan(before - 40);
    expect(page.complaints).toEqual([]);
  });

  test("on a phone, the text keeps its size, and nothing is wider than the screen", async () => {
    const page = await openOutput(POWER, "power.html");
    await page.send("Emulation.setDeviceMetricsOverride", {
      width: 400,
      height: 800,
      deviceScaleFactor: 2,
      mobile: true,
    });
    const shown = `[document.documentElement.scrollWidth, getComputedStyle(document.querySelector(".wide")).display, document.querySelector(".narrow .values text").getBoundingClientRect().height]`;
    const [width, wide, height] = (await page.evaluate(shown)) as [number, string, number];
    expect([width, wide]).toEqual([400, "none"]);
    expect(height).toBeGreaterThan(9);
  });

  test("a screen reader finds a table with the statistics of each series", async () => {
    const page = await openOutput([...POWER, "--time-zone", "utc"], "power.html");
    const tree = JSON.stringify(await page.send("Accessibility.getFullAXTree"));
    for (const part of [
      '"caption"',
      '"columnheader"',
      '"rowheader"',
      '"share"',
      "coal_black",
      "Power by fueltech (GW): the arrow keys",
    ])
      expect(tree).toContain(part);
  });

  test("on a dark page, coal is lighter than the background", async () => {
    const page = await openOutput(POWER, "power.html");
    const colours = `[getComputedStyle(document.body).backgroundColor, getComputedStyle([...document.querySelectorAll("g.series")].find((one) => one.textContent === "coal_black").querySelector("path")).fill]`;
    expect(await page.evaluate(colours)).toEqual(["rgb(255, 255, 255)", "rgb(18, 18, 18)"]);
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
    const [paper, coal] = ((await page.evaluate(colours)) as string[]).map((colour) => Number(/\d+/.exec(colour)?.[0]));
    expect(coal).toBeGreaterThan((paper ?? 0) + 60);
  });

  test("100,000 points follow the pointer", async () => {
    const long = "market NEM -m price -i 5m -s 2024-01-01 -e 2024-03-10 --group-by region --sandbox".split(" ");
    const page = await openOutput(long, "long.html");
    const move = `for (let x = 100; x < 600; x += 10) document.querySelector(".wide").dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: 300 }));`;
    await page.evaluate(move);
    expect((await readTip(page)).title).toMatch(/^2024-0\d-\d\d \d\d:\d\d/);
    expect(readFileSync(home.path("long.html")).length).toBeLessThan(3_000_000);
  });
});

interface DOMBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function press({ send }: Page, key: string): Promise<void> {
  const text = { " ": " ", Enter: "\r" }[key];
  const code = { " ": 32, Enter: 13, End: 35, Home: 36, ArrowLeft: 37, ArrowRight: 39 }[key];
  await send("Input.dispatchKeyEvent", {
    type: "keyDown",
    key,
    windowsVirtualKeyCode: code,
    ...(text ? { text } : {}),
  });
  await send("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode: code });
}

async function readTip({ evaluate }: Page): Promise<{ readonly title: string; readonly rows: Record<string, string> }> {
  const [title, rows] = (await evaluate(
    `[document.querySelector("#tip strong").textContent, [...document.querySelectorAll("#tip div")].map((row) => [row.querySelector("span").textContent, row.querySelector("b").textContent])]`,
  )) as [string, [string, string][]];
  return { title, rows: Object.fromEntries(rows) };
}
