/** The licence that a service names for the plan in use, in descriptions of outputs. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readPackage } from "../columnar/readers.ts";
import { createHome } from "../support/run-ents.ts";
import { type Answer, startService } from "../support/scripted-service.ts";
import { POWER, refusal, TOKEN } from "./envelopes.ts";
import { listPlans } from "./plans.ts";

const EXPORT = ["network", "NEM", "-m", "power", "-i", "1h", "-s", "2025-01-01", "-e", "2025-01-01"];

interface Description {
  readonly licenses?: unknown;
  readonly sources: unknown;
  readonly resources: readonly { readonly $schema: string }[];
  readonly ents: { readonly plan?: string };
}

async function start(plans: Answer, plan = "ACADEMIC") {
  const service = await startService(({ url }) => {
    if (url === "/v4/plans") return plans;
    return url === "/v4/me" ? { body: { data: { plan } } } : POWER;
  });
  const home = createHome();
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    home.run(args, { env: { ENTS_BASE_URL: service.url, ...env }, stdin: TOKEN });
  const describe = async (file: string, ...flags: readonly string[]) => {
    expect(await run([...EXPORT, "-o", file, "--overwrite", ...flags])).toMatchObject({ code: 0 });
    return JSON.parse(readFileSync(home.path(`${file}.datapackage.json`), "utf8")) as Description;
  };
  const countPlans = () => service.requests.filter(({ url }) => url === "/v4/plans").length;
  return { service, home, run, describe, countPlans, url: `${service.url}/v4/plans` };
}

test("of a key: that of its plan, from the list that login has stored", async () => {
  const { run, describe, countPlans, url, service } = await start({
    body: listPlans({ ACADEMIC: { license: "Research only" } }),
  });
  await run(["login"]);
  const described = await describe("a.csv", "--datapackage");
  expect(described).toMatchObject({
    licenses: [{ title: "Research only", path: url }],
    sources: [{ title: "v4 service", path: `${service.url}/` }],
    ents: { plan: "academic" },
  });
  expect(described.resources.map(({ $schema }) => $schema)).toEqual([
    "https://datapackage.org/profiles/2.0/dataresource.json",
  ]);
  expect(await describe("b.csv", "--update")).toMatchObject({ licenses: described.licenses });
  expect(countPlans()).toBe(1);
});

test("without a key: that of the community, fetched once", async () => {
  const { describe, countPlans, home, run } = await start({ body: listPlans() });
  const licenses = [{ title: "Non-commercial use" }];
  expect(await describe("a.csv", "--datapackage")).toMatchObject({ licenses, ents: { plan: "community" } });
  expect(await describe("b.csv", "--update")).toMatchObject({ licenses });
  expect(await describe("a.csv", "--datapackage")).toMatchObject({ licenses });
  expect(countPlans()).toBe(1);
  await run([...EXPORT, "-o", "c.parquet"]);
  expect(readPackage(home.path("c.parquet"))).toMatchObject({ licenses });
});

test("an export without a description asks for no plans", async () => {
  const { run, countPlans } = await start({ body: listPlans() });
  expect(await run([...EXPORT, "-o", "a.csv"])).toMatchObject({ code: 0 });
  expect(await run([...EXPORT, "-o", "b.csv", "--datapackage", "--dry-run"])).toMatchObject({ code: 0 });
  expect(countPlans()).toBe(0);
});

test.each<[string, Answer, string]>([
  ["a service without a list of plans", refusal(404, "Not Found"), ""],
  ["a list without licences", { body: listPlans({ COMMUNITY: { license: undefined } }) }, ""],
  ["a licence that is no text", { body: listPlans({ COMMUNITY: { license: { name: "x" } } }) }, ""],
  ["a licence of several lines", { body: listPlans({ COMMUNITY: { license: "a\u001b[2J\nb" } }) }, ""],
  ["a key whose plan is unknown", { body: listPlans() }, TOKEN],
])("ents names none for %s", async (_, plans, token) => {
  const { run, home } = await start(plans);
  const env: Record<string, string> = token === "" ? {} : { ENTS_TOKEN: token };
  expect(await run([...EXPORT, "-o", "a.csv", "--datapackage"], env)).toMatchObject({ code: 0 });
  const described = JSON.parse(readFileSync(home.path("a.csv.datapackage.json"), "utf8")) as Description;
  expect(described).not.toHaveProperty("licenses");
  expect(described.ents).not.toHaveProperty("plan");
});

test("ents names none for the sandbox", async () => {
  const { describe, countPlans } = await start({ body: listPlans() });
  expect(await describe("a.csv", "--datapackage", "--sandbox")).not.toHaveProperty("licenses");
  expect(countPlans()).toBe(0);
});
