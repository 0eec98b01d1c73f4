import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseValue } from "../../src/options/parse.ts";
import { isLoopback } from "../../src/settings/token.ts";
import { EntsError } from "../../src/base/errors.ts";
import { nastyTexts } from "./generators.ts";

/** fast-check's own `webUrl` takes a second to set up. */
const addresses = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.domain(),
    fc.constantFrom("", ":8080"),
    fc.array(nastyTexts.map(encodeURIComponent), { maxLength: 4 }),
  )
  .map(([scheme, host, port, path]) => [`${scheme}://${host}${port}`, ...path].join("/"));

const read = (text: string) => parseValue("address", text, "--base-url").href;

function refusal(text: string): EntsError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof EntsError) return error;
    throw error;
  }
  throw new Error(`${text} was taken`);
}

describe("an address", () => {
  test.each(["", "/", "/v4", "/v4/", "/v4//", "//"])("an address ending in %j is the same address", (ending) => {
    expect(read(`https://api.example.org${ending}`)).toBe("https://api.example.org/");
    expect(read(`http://127.0.0.1:8080${ending}`)).toBe("http://127.0.0.1:8080/");
  });

  test("keeps a path before /v4, and what only looks like /v4", () => {
    expect(read("https://example.org/energy/v4/")).toBe("https://example.org/energy");
    expect(read("https://example.org/energy//v4")).toBe("https://example.org/energy");
    expect(read("https://example.org/apiv4")).toBe("https://example.org/apiv4");
    expect(read("https://example.org/v4/energy")).toBe("https://example.org/v4/energy");
    expect(read("https://example.org/v40")).toBe("https://example.org/v40");
  });

  test("its result parses to itself", () => {
    fc.assert(
      fc.property(addresses, fc.constantFrom("", "/", "/v4", "/v4/"), (url, ending) => {
        fc.pre(!/\/v4\/*$/.test(url));
        const first = read(url + ending);
        expect(read(first)).toBe(first);
        expect(first).toBe(read(url));
      }),
    );
  });

  test.each([
    "",
    "api.example.org",
    "ftp://example.org",
    "file:///etc/passwd",
    "https://",
    "javascript:alert(1)",
    "localhost:8080",
  ])("%j is not an http(s) address", (text) => {
    const error = refusal(text);
    expect([error.kind, error.message]).toEqual(["usage", `--base-url: "${text}" is not an http(s) address`]);
  });

  test.each([
    "https://user:secret@example.org",
    "https://secret@example.org",
    "https://:secret@example.org",
    "ftp://user:secret@example.org",
  ])("%s: a password is refused and not shown", (text) => {
    const error = refusal(text);
    expect(error.message).toContain("cannot have a user name or password");
    expect(error.message + error.hint).not.toContain("secret");
  });

  test.each([
    "https://example.org/?token=secret",
    "https://example.org/v4#secret",
    "https://example.org?",
    "https://example.org/#",
  ])("%s: a query or fragment is refused and not shown", (text) => {
    const error = refusal(text);
    expect([error.kind, error.message]).toEqual(["usage", expect.stringContaining("query or fragment")]);
    expect(error.message + error.hint).not.toContain("secret");
  });

  test("the message says where the address was set", () => {
    expect(() => parseValue("address", "nowhere", "ENTS_BASE_URL")).toThrow(/^ENTS_BASE_URL: "nowhere"/);
  });
});

describe("isLoopback", () => {
  test.each([
    "http://localhost:3000",
    "http://127.0.0.1",
    "http://127.1.2.3:80",
    "http://127.1",
    "http://[::1]:8080",
    "http://LOCALHOST",
  ])("%s is", (url) => {
    expect(isLoopback(new URL(url))).toBe(true);
  });

  test.each([
    "http://example.org",
    "http://127.0.0.1.example.org",
    "http://localhost.example.org",
    "http://128.0.0.1",
    "http://0.0.0.0",
    "http://[::2]",
    "http://10.0.0.1",
  ])("%s is not", (url) => {
    expect(isLoopback(new URL(url))).toBe(false);
  });
});
