import fc from "fast-check";
import { expect, test } from "vitest";
import { compileGlob } from "./compile-glob.ts";
import { splitGlob } from "./split-glob.ts";

test.each([
  ["*.ts", ["a.ts", ".ts"], ["a/b.ts", "a.tsx"]],
  ["**/*.ts", ["a.ts", "a/b.ts", "a/.b/c.ts"], ["a.js"]],
  ["src/**", ["src/a", "src/a/b"], ["src", "srca/b"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/b/c", "ab"]],
  ["*.{ts,tsx}", ["a.ts", "a.tsx"], ["a.t"]],
  ["{a,b/{c,d}}/*.md", ["a/x.md", "b/c/x.md", "b/d/x.md"], ["b/x.md"]],
  ["[a-c]?.txt", ["ax.txt", "b1.txt"], ["dx.txt", "a.txt"]],
  ["[!a]b", ["bb"], ["ab"]],
  ["[]x]b", ["]b", "xb"], ["ab"]],
  ["\\*.ts", ["*.ts"], ["a.ts"]],
  ["a*b*c", ["abc", "aXbYc", "abbc"], ["ab", "acb"]],
  ["😀?", ["😀x", "😀😀"], ["😀"]],
  ["./a/*.ts", ["a/b.ts"], ["b.ts"]],
])("%s matches the expected paths and no others", (pattern, matching, others) => {
  const matches = compileGlob(pattern);
  expect(matching.filter((path) => !matches(path))).toEqual([]);
  expect(others.filter(matches)).toEqual([]);
});

test.each(["", "[a", "{a", "a}", "a\\", "a\0", "{a,b}".repeat(20), "*".repeat(5000)])(
  "%j is rejected as a pattern [loop-3.3-28]",
  (pattern) => {
    expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: "environment.invalid_pattern" }));
  },
);

test("thirty stars do not slow down matching a name that almost matches", () => {
  const started = performance.now();
  expect(compileGlob(`${"*a".repeat(30)}b`)("a".repeat(255))).toBe(false);
  expect(compileGlob(`${"**/a/".repeat(30)}b`)("a/".repeat(500))).toBe(false);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("a pattern without wildcards matches exactly itself", () => {
  const name = fc.stringMatching(/^[a-zA-Z0-9._ -]{1,10}$/).filter((text) => text !== "." && text !== "..");
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.array(name, { minLength: 1 }), (one, other) => {
      const [pattern, path] = [one.join("/"), other.join("/")];
      expect(compileGlob(pattern)(pattern)).toBe(true);
      expect(compileGlob(pattern)(path)).toBe(pattern === path);
    }),
  );
});

test("any text compiles or is rejected, and never hangs", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (pattern, path) => {
      try {
        compileGlob(pattern)(path);
      } catch (error) {
        expect(error).toMatchObject({ code: "environment.invalid_pattern" });
      }
    }),
  );
});

test.each([
  ["src/app/*.ts", { base: "src/app", rest: "*.ts" }],
  ["*.ts", { base: "", rest: "*.ts" }],
  ["/etc/*", { base: "/etc", rest: "*" }],
  ["/*", { base: "/", rest: "*" }],
  ["../x", { base: "..", rest: "x" }],
  ["a/b.ts", { base: "a", rest: "b.ts" }],
])("%s is split after its literal folders", (pattern, expected) => {
  expect(splitGlob(pattern)).toEqual(expected);
});
