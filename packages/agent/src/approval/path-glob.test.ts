import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePathGlob } from "./path-glob.ts";

const asIs = (text: string): string => text;

function path(glob: string, file: string, fold = asIs): string {
  return compilePathGlob(glob, fold).matchesPath(file.split("/").filter((name) => name !== ""));
}

function tree(glob: string, folder: string): string {
  return compilePathGlob(glob, asIs).matchesTree(folder.split("/").filter((name) => name !== ""));
}

describe("a glob of a rule", () => {
  test.each([
    ["src/**", "src/a/b.ts", "yes"],
    ["src/**", "src", "yes"],
    ["src/", "src/a", "yes"],
    ["src/**", "srcs/a", "no"],
    ["./src/*.ts", "src/a.ts", "yes"],
    ["/src/*.ts", "src/a.ts", "yes"],
    ["src/*.ts", "src/a/b.ts", "no"],
    ["**/*.env", ".env", "yes"],
    ["**/*.env", "a/b/prod.env", "yes"],
    ["**/.git/**", ".git/config", "yes"],
    ["**/.git/**", "a/.git/hooks/x", "yes"],
    ["*", "a", "yes"],
    ["*", "a/b", "no"],
    ["**", "a/b", "yes"],
    ["{docs,src/{a,b}}/*", "src/b/c", "yes"],
    ["{docs,src}/*", "test/c", "no"],
    ["a?c", "abc", "yes"],
    ["[a-c]x", "bx", "yes"],
    ["[!a-c]x", "bx", "no"],
    ["[]]", "]", "yes"],
    ["[x", "[x", "yes"],
    ["package.json", "packageXjson", "no"],
    ["a**b", "axxb", "yes"],
  ])("%s and %s: %s [loop-8-4]", (glob, file, fits) => {
    expect(path(glob, file)).toBe(fits);
  });

  test.each([
    ["src/**", "src/a", "yes"],
    ["src/**", "src", "yes"],
    ["src/**", "", "maybe"],
    ["src/**", "docs", "no"],
    ["**", "", "yes"],
    ["**/*.env", "docs", "maybe"],
    ["src/*.ts", "src", "maybe"],
    ["src/*.ts", "src/a", "no"],
  ])("%s and everything below %j: %s [loop-8-4]", (glob, folder, fits) => {
    expect(tree(glob, folder)).toBe(fits);
  });

  test("distinguishes only names that the file system distinguishes [loop-8-4]", () => {
    expect(path(".git/**", ".GIT/config")).toBe("no");
    expect(path(".git/**", ".GIT/config", (text) => text.toLowerCase())).toBe("yes");
  });

  test.each(["", "/", "../x", "a/../../b", "{a,..}/x", `${"{a,b}".repeat(12)}`])(
    "an invalid glob is rejected: %j [loop-8-4]",
    (glob) => {
      expect(() => compilePathGlob(glob, asIs)).toThrow(expect.objectContaining({ code: "config.invalid" }));
    },
  );

  test("takes time proportional to the path, for any glob [loop-8-4]", () => {
    const deep = Array.from({ length: 1_000 }, () => "a");
    expect(compilePathGlob(`${"**/".repeat(50)}b`, asIs).matchesPath(deep)).toBe("no");
    expect(compilePathGlob(`${"*a".repeat(50)}b`, asIs).matchesPath(["a".repeat(10_000)])).toBe("no");
  });

  test("fits every path that it is itself [loop-8-4]", () => {
    const name = fc.stringMatching(/^[a-z0-9_.-]{1,8}$/).filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 6 }), (names) => {
        expect(compilePathGlob(names.join("/"), asIs).matchesPath(names)).toBe("yes");
        expect(compilePathGlob(`${names.join("/")}/**`, asIs).matchesTree(names)).toBe("yes");
        expect(compilePathGlob(names.join("/"), asIs).matchesPath([...names, "x"])).toBe("no");
      }),
    );
  });
});
