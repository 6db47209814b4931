import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "..", "src");
const STATIC_IMPORT = /^(?:import|export)\s+(?!type\b)[^;]*?from\s+"([^"]+)"/gms;

/** Returns everything that a module loads when it is imported. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(STATIC_IMPORT)) {
    const target = name.startsWith(".") ? join(dirname(file), name) : name;
    if (seen.has(target)) continue;
    seen.add(target);
    if (name.startsWith(".")) loadedBy(target, seen);
  }
  return seen;
}

test.each(["index.ts", "cassette/index.ts"])("importing %s loads no provider's package and no validator", (entry) => {
  const loaded = [...loadedBy(join(SOURCE, entry))];
  expect(loaded.length).toBeGreaterThan(8);
  expect(loaded.filter((name) => /@ai-sdk|ajv|re2js/.test(name))).toEqual([]);
});

test("the recordings load no provider at all", () => {
  const rooms = [...loadedBy(join(SOURCE, "cassette", "index.ts"))].filter((name) =>
    /src\/(provider|openai|anthropic|gemini|call)\//.test(name),
  );
  expect(rooms).toEqual([]);
});
