import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";

const FOLDER = import.meta.dirname;
const ALLOWED = [
  ...["@opentelemetry/api", "@switchyard/contracts", "@switchyard/secrets"],
  ...["node:async_hooks", "node:crypto", "node:util"],
];

function importedBy(file: string): string[] {
  const text = readFileSync(join(FOLDER, file), "utf8");
  return Array.from(text.matchAll(/^(?:import|export)[^;]*? from "([^"]+)";$/gm), ([, name = ""]) => name);
}

test("no source knows sessions, agents, models or tools, or reaches outside of the process [engine-overview-1]", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const imported = new Set(files.flatMap(importedBy).filter((name) => !name.startsWith(".")));
  expect([...imported].sort()).toEqual(ALLOWED);
});

test("importing the package starts nothing and registers nothing [engine-overview-5]", async () => {
  const state = (): unknown => [Object.getOwnPropertyNames(globalThis).sort(), process.eventNames()];
  vi.resetModules();
  const before = state();
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const engine = await import("./index.ts");
  expect(engine.createEngineRegistry().names()).toEqual([]);
  expect(state()).toEqual(before);
  expect(process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length).toBeLessThanOrEqual(timers);
});
