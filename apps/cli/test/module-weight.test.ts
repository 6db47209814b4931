import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, switchyardProcess } from "./start-switchyard.ts";

const TO_FILE = `process.on("exit", () => require("fs").writeFileSync(process.env.LOADED_TO, process.moduleLoadList.join("\\n")));`;

/** Returns the built-in Node.js modules that a command loads. */
async function loadedBy(words: readonly string[], env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await makeFolder({ "to-file.cjs": TO_FILE });
  const loadedTo = join(folder, "loaded.txt");
  const more = { LOADED_TO: loadedTo, NODE_OPTIONS: `--require ${join(folder, "to-file.cjs")}` };
  const { exitCode, stderr } = await switchyardProcess(words, { env: { ...env, ...more } });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return (await readFile(loadedTo, "utf8")).split("\n");
}

test.each([
  ["openai", "openai/gpt-5.1", "OPENAI_API_KEY"],
  ["anthropic", "anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"],
  ["gemini", "gemini/gemini-2.5-pro", "GEMINI_API_KEY"],
  ["openai", "openai-compatible/any", "OPENAI_COMPATIBLE_API_KEY"],
] as const)("a turn with a model of %s, %s, does not load Node's fetch", async (format, model, variable) => {
  const { baseUrl } = await startMockModel(format, ["Done."]);
  const words = ["run", "--model", model, "--base-url", baseUrl, "--json", "Do it."];
  const loaded = await loadedBy(words, { [variable]: "a-key-of-nobody" });
  expect(loaded).toContain("NativeModule http");
  expect(loaded.filter((name) => /undici|http2/.test(name))).toEqual([]);
});
