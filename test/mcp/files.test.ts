/** What tools write: only inside of the folder, only what ents has made, and pictures as pictures. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../support/mcp-client.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { HAS_LINKS } from "../support/platform.ts";

const DAY = {
  network: "NEM",
  metrics: ["price"],
  interval: "1h",
  network_region: ["NSW1"],
  date_start: "2025-01-31",
  date_end: "2025-01-31",
};

let home: Home;
let served: Served;

beforeAll(async () => {
  home = createHome();
  mkdirSync(home.path("data"));
  served = await serve(home, ["--sandbox", "--folder", "data"]);
});

test("an output is written, updated, described, and listed", async () => {
  const { isError, result } = await served.call("get_market", { ...DAY, output: "price.csv", update: true });
  expect({ isError, file: result["file"] }).toEqual({ isError: false, file: home.path("data/price.csv") });
  expect(readFileSync(home.path("data/price.csv"), "utf8").trimEnd().split("\n")).toHaveLength(25);
  const described = await served.call("describe_output", { output: "price.csv" });
  expect(described.isError).toBe(false);
  expect(described.result).toMatchObject({
    source: "the sandbox inside ents: synthetic data",
    licence: "not named by the service",
    command: expect.stringContaining("ents market NEM") as string,
    newest_age_seconds: expect.any(Number) as number,
    columns: expect.arrayContaining(["added", "restated"]) as string[],
  });
  expect(described.result.messages[0]?.message).toMatch(/^1 check made \(price-limits\), nothing found/);
  const uri = "ents://outputs/price.csv";
  expect((await served.client.listResources()).resources.map((resource) => resource.uri)).toContain(uri);
  const [content] = (await served.client.readResource({ uri })).contents;
  expect(JSON.parse((content as { readonly text: string }).text)).toMatchObject({ resources: [{ path: "price.csv" }] });
});

test("what ents has made is replaced; what somebody else wrote, or changed, only with overwrite", async () => {
  const write = async (more: object = {}) =>
    (await served.call("get_market", { ...DAY, output: "own.csv", ...more })).isError;
  expect(await write()).toBe(false);
  expect(await write()).toBe(false);
  const described = await served.call("describe_output", { output: "own.csv" });
  expect(described).toMatchObject({ isError: false, result: { window: { start: "2025-01-31T00:00:00" } } });
  const text = readFileSync(home.path("data/own.csv"), "utf8");
  for (const changed of [`${text}a note\n`, text.replace("NSW1", "NSW2")]) {
    writeFileSync(home.path("data/own.csv"), changed);
    expect(await write()).toBe(true);
    expect(readFileSync(home.path("data/own.csv"), "utf8")).toBe(changed);
  }
  writeFileSync(home.path("data/theirs.csv"), "a,b\n");
  const { result } = await served.call("get_market", { ...DAY, output: "theirs.csv" });
  expect(result.messages[0]).toMatchObject({
    field: "output",
    next_step: "use another output, or overwrite to replace it",
  });
  expect(readFileSync(home.path("data/theirs.csv"), "utf8")).toBe("a,b\n");
  expect(await write({ overwrite: true })).toBe(false);
});

test.each(["{", "null", '{"resources":[],"licenses":null,"ents":{"series":5}}'])(
  "a description that ents did not write is none: %s",
  async (text) => {
    writeFileSync(home.path("data/damaged.csv"), "a,b\n");
    writeFileSync(home.path("data/damaged.csv.datapackage.json"), text);
    const { isError, result } = await served.call("describe_output", { output: "damaged.csv" });
    expect(isError).toBe(true);
    expect(result.messages[0]?.message).toContain("damaged.csv");
    expect(result["window"]).toBeUndefined();
  },
);

test("nothing is written elsewhere, or under a name that hides it", async () => {
  symlinkSync(home.path("elsewhere.csv"), home.path("data/link.csv"));
  symlinkSync(home.folder, home.path("data/up"));
  const names = [
    "../out.csv",
    home.path("out.csv"),
    ...(HAS_LINKS ? ["link.csv", "up/out.csv"] : []),
    "data/none/out.csv",
    ".",
    ".hidden.csv",
    "a\u0007b.csv",
    "a\nb.csv",
  ];
  for (const output of [...names, "x.csv.datapackage.json", "x.csv.ents", "http://example.org/x.csv"]) {
    const { isError, result } = await served.call("get_market", { ...DAY, output });
    expect({ output, isError, kind: result.messages[0]?.kind }).toEqual({ output, isError: true, kind: "usage" });
  }
  expect(existsSync(home.path("elsewhere.csv")) || existsSync(home.path("out.csv"))).toBe(false);
});

test("a picture is returned as one, with a folder or without; others are linked to", async () => {
  const png = await served.call("get_market", { ...DAY, output: "price.png" });
  expect(png.content[1]).toMatchObject({ type: "image", mimeType: "image/png" });
  expect(Buffer.from(String(png.content[1]?.["data"]), "base64")).toEqual(readFileSync(home.path("data/price.png")));
  const printed = await served.call("get_market", { ...DAY, format: "png" });
  expect(printed.content[1]?.["data"]).toBe(png.content[1]?.["data"]);
  expect(printed.result).toMatchObject({
    source: expect.stringContaining("synthetic") as string,
    time_zone: "UTC+10, network time",
  });
  const svg = await served.call("get_market", { ...DAY, output: "price.svg" });
  expect(svg.content[1]).toMatchObject({ type: "resource_link", mimeType: "image/svg+xml", name: "price.svg" });
  const [content] = (await served.client.readResource({ uri: String(svg.content[1]?.["uri"]) })).contents;
  expect((content as { readonly text: string }).text).toBe(readFileSync(home.path("data/price.svg"), "utf8"));
  expect((await served.call("get_market", { ...DAY, output: "price.png", format: "png" })).isError).toBe(true);
  await expect(served.client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow("there is no resource");
});

test("the tools say that they write", async () => {
  const { tools } = await served.client.listTools();
  expect(tools.find(({ name }) => name === "get_market")?.annotations).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
  });
});
