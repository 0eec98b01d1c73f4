/** A secret that a service echoes in its data is masked. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createBodyMask } from "../../src/base/shown-text.ts";

const SECRET = "Abcdef12+gh/ij==";
const mask = (text: string, secret = SECRET) => createBodyMask([secret])(Buffer.from(text)).toString();

test.each([
  ["as it is", SECRET],
  ["with slashes escaped", "Abcdef12+gh\\/ij=="],
  ["as Go and .NET escape it", "Abcdef12\\u002bgh/ij\\u003d\\u003d"],
  ["with digits of codes in capitals", "Abcdef12\\u002Bgh\\u002Fij\\u003D\\u003D"],
  ["in a URL", "Abcdef12%2Bgh%2Fij%3D%3D"],
  ["in a URL of a URL", "Abcdef12%252Bgh%252Fij%253D%253D"],
  ["for HTML", "Abcdef12&#43;gh&#x2F;ij&#x3d;&#61;"],
])("%s", (_how, spelled) => {
  expect(mask(`{"a":"x${spelled}y","b":"${spelled}"}`)).toBe('{"a":"x***y","b":"***"}');
});

test("with any characters, however each is escaped", () => {
  const signs = fc
    .string({ unit: fc.constantFrom(...Array.from("aB3_+/=&<>.~-!")), minLength: 8, maxLength: 20 })
    .filter((secret) => /[a-zA-Z]/.test(secret));
  fc.assert(
    fc.property(signs, fc.infiniteStream(fc.nat(3)), (secret, ways) => {
      const spelled = Array.from(secret, (sign) => {
        const hex = sign.charCodeAt(0).toString(16);
        return /\w/.test(sign)
          ? sign
          : [sign, `\\u00${hex}`, `%${hex}`, `\\u00${hex.toUpperCase()}`][ways.next().value as number];
      }).join("");
      expect(mask(`"é ${spelled}"`, secret)).toBe('"é ***"');
    }),
  );
});

test.each(["1234567890", "short", "-1.5e+300"])("%s could be data", (secret) => {
  expect(mask(`[${secret}]`, secret)).toBe(`[${secret}]`);
});

test("a body without it is unchanged", () => {
  const body = Buffer.from('{"data":[]}');
  expect(createBodyMask([SECRET])(body)).toBe(body);
  expect(mask("Abcdef12 alone")).toBe("Abcdef12 alone");
});
