import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claudeCode } from "../src/index.ts";

const PACKAGES = join(import.meta.dirname, "../..");

function sourcesIn(name: string): string {
  const folder = join(PACKAGES, name, "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  return files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
}

test("its page describes how it reports tokens, how tools are permitted, and what else the command does [adapter-capabilities-4]", () => {
  const page = readFileSync(join(PACKAGES, "adapter-claude-code/README.md"), "utf8");
  for (const part of ["Launch", "Authentication", "Tokens", "Permissions", "Resume"])
    expect(page).toContain(`- **${part}.** `);
  const source = readFileSync(join(PACKAGES, "adapter-claude-code/src/claude-code.ts"), "utf8");
  expect(source.replace(/\s+\*\s/gu, " ")).toMatch(/reports usage per request.*control which tools/su);
});

test("the command's flags and the adapter's name are nowhere in the code that all adapters share [adapter-testing-5]", () => {
  const own = sourcesIn("adapter-claude-code");
  const flags = [...new Set(own.match(/--[a-z]+(?:-[a-z]+)+/gu))];
  expect(flags.length).toBeGreaterThan(5);
  for (const name of ["contracts", "engine", "secrets", "adapter-kit", "testkit"]) {
    const shared = sourcesIn(name);
    expect(flags.filter((flag) => shared.includes(flag))).toEqual([]);
    expect(shared).not.toContain(claudeCode.kind);
  }
});
