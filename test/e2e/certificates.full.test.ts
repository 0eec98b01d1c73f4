/**
 * Certificates: a proxy that is addressed by https must prove its name, since it receives a password; what is not
 * trusted is said at once, with the way out.
 */
import { once } from "node:events";
import { createSecureServer } from "node:http2";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createCertificate, hasOpenssl } from "../support/certificate.ts";
import { atEndOfFile } from "../support/cleanup.ts";
import { isDue } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { TOKEN } from "./envelopes.ts";

/** A proxy with a certificate for a name; it refuses every tunnel. */
async function startProxy(name: string) {
  const home = createHome();
  const { path, ...certificate } = createCertificate(name);
  const asked: string[] = [];
  const server = createServer(certificate);
  server.on("connect", ({ url }, socket) => {
    asked.push(url ?? "");
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  server.on("tlsClientError", () => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  atEndOfFile(() => server.close());
  const env = {
    ENTS_TOKEN: TOKEN,
    ENTS_BASE_URL: "https://v4.example.org",
    HTTPS_PROXY: `https://user:password@localhost:${(server.address() as AddressInfo).port}`,
    NODE_EXTRA_CA_CERTS: path,
  };
  return { asked, fetch: () => home.spawn(["network", "NEM", "-m", "power", "--retries", "0"], { env }) };
}

test.skipIf(!isDue(hasOpenssl)).concurrent("its certificate is checked for its own name (needs openssl)", async () => {
  const proxy = await startProxy("localhost");
  expect(await proxy.fetch()).toMatchObject({ code: 5, stderr: expect.stringContaining("HTTP 407") as string });
  expect(proxy.asked).toEqual(["v4.example.org:443"]);
});

test
  .skipIf(!isDue(hasOpenssl))
  .concurrent("the service's certificate is not accepted for the proxy (needs openssl)", async () => {
    const proxy = await startProxy("v4.example.org");
    expect(await proxy.fetch()).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("its certificate is for v4.example.org, not localhost") as string,
    });
    expect(proxy.asked).toEqual([]);
  });

test.skipIf(!isDue(hasOpenssl)).concurrent.for([
  [
    {},
    /its certificate is not trusted: .*\n +if your network inspects TLS, set NODE_EXTRA_CA_CERTS=<file with its certificate>/,
  ],
  [{ SSL_CERT_FILE: "/own.pem" }, /set NODE_EXTRA_CA_CERTS=\/own\.pem.*; Node does not read SSL_CERT_FILE/],
  [{ NODE_EXTRA_CA_CERTS: "/dev/null" }, /NODE_EXTRA_CA_CERTS is set, but its file does not have the certificate/],
  ["trusted", /its certificate is for another\.example\.org, not localhost/],
] as const)("a certificate that is not accepted ends a run at once: %j (needs openssl)", async ([env, says]) => {
  const { path, ...certificate } = createCertificate("another.example.org");
  const server = createServer(certificate);
  let connections = 0;
  server.on("connection", () => connections++).on("tlsClientError", () => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  atEndOfFile(() => server.close());
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const trust = env === "trusted" ? { NODE_EXTRA_CA_CERTS: path } : env;
  const run = await createHome().spawn(["network", "NEM", "-m", "power"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: url, ...trust },
  });
  expect(run).toMatchObject({ code: 5, stderr: expect.stringMatching(says) as string });
  expect(run.stderr).not.toMatch(/attempts|try again later/);
  expect(connections).toBe(1);
});

test
  .skipIf(!isDue(hasOpenssl))
  .concurrent("a service that speaks HTTP/2 alone is said at once (needs openssl)", async () => {
    const { path, ...certificate } = createCertificate("localhost");
    const server = createSecureServer(certificate);
    await once(server.listen(0, "127.0.0.1"), "listening");
    atEndOfFile(() => server.close());
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: url, NODE_EXTRA_CA_CERTS: path };
    expect(await createHome().spawn(["network", "NEM", "-m", "power"], { env })).toMatchObject({
      code: 5,
      stderr: `ents: cannot reach ${url} (it does not speak HTTP/1.1, which ents needs: HTTP/2 alone, perhaps)\n      check the base address (--base-url)\n`,
    });
  });
