/** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are heeded, and a proxy never sees the token of an https service. */
import { expect, test } from "vitest";
import { runEnts } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { POWER, TOKEN } from "./envelopes.ts";

const FETCH = ["network", "NEM", "-m", "power", "--retries", "0"];

test.concurrent.for(["HTTP_PROXY", "http_proxy"])("%s stands between", async (name) => {
  const [proxy, service] = [await startService(() => POWER), await startService(() => POWER)];
  const run = await runEnts(FETCH, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url, [name]: proxy.url } });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(proxy.requests).toHaveLength(1);
  expect(proxy.requests[0]?.url).toContain(new URL(service.url).host);
});

test.concurrent.for(["127.0.0.1", "*"])("NO_PROXY=%s goes past it", async (value) => {
  const [proxy, service] = [await startService([]), await startService(() => POWER)];
  const run = await runEnts(FETCH, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url, HTTP_PROXY: proxy.url, NO_PROXY: value } });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(proxy.requests).toEqual([]);
});

test.concurrent.for(["HTTPS_PROXY", "https_proxy"])("%s is asked for a tunnel to an https service, without the token", async (name) => {
  const proxy = await startService(() => ({ status: 502 }));
  const run = await runEnts(FETCH, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: "https://v4.example.org", [name]: proxy.url } });
  expect(run).toMatchObject({ code: 5, stdout: "", stderr: expect.stringMatching(/^ents: /) as string });
  expect(proxy.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["CONNECT v4.example.org:443"]);
  expect(JSON.stringify(proxy.requests)).not.toContain(TOKEN);
});

test.concurrent("a proxy that is not there is exit 5", async () => {
  const run = await runEnts(FETCH, {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: "https://v4.example.org", HTTPS_PROXY: "http://127.0.0.1:9" },
  });
  expect(run).toMatchObject({ code: 5, stdout: "" });
});

test.concurrent("the sandbox needs no proxy", async () => {
  const args = ["network", "NEM", "-m", "power", "-i", "1d", "-s", "2025-01-01", "-e", "2025-01-01", "--sandbox", "-q"];
  expect(await runEnts(args, { env: { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" } })).toMatchObject({
    code: 0,
    stderr: "",
  });
});
