import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileUrlPattern, toAddress } from "./url-pattern.ts";

function fitOf(pattern: string, url: string, isAllowing = true): string {
  return compileUrlPattern(pattern, isAllowing)(toAddress(url));
}

describe("a pattern for addresses", () => {
  test.each([
    ["example.org", "https://example.org/a?b#c"],
    ["example.org", "http://EXAMPLE.org./"],
    ["*.example.org", "https://a.b.example.org/"],
    ["EXAMPLE.org", "https://example.org/"],
    ["münchen.example", "https://xn--mnchen-3ya.example/"],
    ["https://example.org/", "https://example.org/any"],
    ["https://example.org/docs/*", "https://example.org/docs/a/b"],
    ["https://example.org/docs/*", "https://example.org/docs/a?q=1"],
    ["example.org:8443", "https://example.org:8443/"],
    ["https://example.org:443", "https://example.org/"],
    ["[::1]", "http://[::1]/"],
    ["127.0.0.1", "http://2130706433/"],
    ["*", "https://example.org:81/"],
  ])("%s fits %s [loop-8-4]", (pattern, url) => {
    expect(fitOf(pattern, url)).toBe("yes");
  });

  test.each([
    ["example.org", "https://example.org.evil.net/"],
    ["example.org", "https://evil.net/example.org"],
    ["example.org", "https://example.org@evil.net/"],
    ["example.org", "https://evil.net/?example.org"],
    ["example.org", "https://evil.net#example.org"],
    ["example.org", "https://notexample.org/"],
    ["*.example.org", "https://example.org/"],
    ["*.example.org", "https://evil.net/.example.org"],
    ["*.example.org", "https://evil.net?.example.org"],
    ["example.org", "https://example.org:8443/"],
    ["https://example.org", "http://example.org/"],
    ["https://example.org/docs/*", "https://example.org/docs/../admin"],
    ["https://example.org/docs/*", "https://example.org/docs/%2e%2e/admin"],
    ["https://example.org/docs/*", "https:\\\\example.org\\docs\\..\\admin"],
  ])("%s never matches %s [loop-8-4]", (pattern, url) => {
    expect(fitOf(pattern, url)).toBe("no");
  });

  test("is uncertain if a server may decode another address, or the target is no address [loop-8-4]", () => {
    expect(fitOf("https://example.org/docs/*", "https://example.org/docs/..%2fadmin")).toBe("maybe");
    expect(fitOf("https://example.org/admin", "https://example.org/%61dmin", false)).toBe("maybe");
    expect(fitOf("https://example.org/admin", "https://example.org//admin", false)).toBe("maybe");
    expect(fitOf("example.org", "")).toBe("maybe");
    expect(fitOf("*", "")).toBe("maybe");
    expect(fitOf("*", "", false)).toBe("yes");
  });

  test("means every port in a rule that forbids [loop-8-4]", () => {
    expect(fitOf("example.org", "https://example.org:8443/", false)).toBe("yes");
    expect(fitOf("example.org:8443", "https://example.org/", false)).toBe("no");
  });

  test.each(["", "  ", "ftp://example.org", "https://", "user@example.org", "a b", "example.org:x", "?x"])(
    "is rejected if it is invalid: %j [loop-8-4]",
    (pattern) => {
      expect(() => compileUrlPattern(pattern, true)).toThrow(expect.objectContaining({ code: "config.invalid" }));
    },
  );

  test("for one host does not match another address, in any notation [loop-8-4]", () => {
    const piece = fc.constantFrom(
      "example.org",
      "evil.net",
      "/",
      "//",
      ":",
      "@",
      "?",
      "#",
      ".",
      "\\",
      "%2f",
      "[",
      "]",
      "\t",
      "80",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const url = toAddress(`https://${pieces.join("")}`);
        if (url !== undefined && fitOf("example.org", url.href) === "yes")
          expect(url.hostname).toMatch(/^example\.org\.?$/);
      }),
    );
  });
});
