import { openConfiguredEngine, parseEngineFile } from "@switchyard/runner";
import { expect, test } from "vitest";
import { credentialsFileOf } from "./credentials-file-of.ts";

const KEYED = {
  name: "mine",
  model: { provider: "acme" },
  custom: { transport: "local", local: { command: "x" }, env: { KEY: "${api_key}" } },
};

test("the key is looked up only if the configuration refers to it [custom-credentials-5]", async () => {
  const credentialsFile = await credentialsFileOf("not a map", 0o644);
  const plain = { ...KEYED, custom: { ...KEYED.custom, env: {} } };
  expect(await openConfiguredEngine(plain, { env: {}, credentialsFile })).toMatchObject({ name: "mine", warnings: [] });
  await expect(openConfiguredEngine(KEYED, { env: {}, credentialsFile })).rejects.toMatchObject({
    code: "credentials.exposed",
  });
  await expect(openConfiguredEngine(KEYED, { env: {} })).rejects.toMatchObject({
    ...{ code: "config.missing_api_key", remedy: expect.stringContaining("ACME_API_KEY, SWITCHYARD_API_KEY") },
  });
  const optional = { ...KEYED, custom: { ...KEYED.custom, env: { KEY: "${api_key:-}" } } };
  expect((await openConfiguredEngine(optional, { env: {} })).name).toBe("mine");
});

test("a built-in name opens the built-in engine with the model and the key of the configuration [custom-selection-1]", async () => {
  const document = { engine: { name: "agent", model: { provider: "openai", name: "gpt-5.2" }, custom: 7 } };
  const opened = await openConfiguredEngine(document, { env: {}, apiKey: "the-key-of-the-model" });
  expect(opened).toMatchObject({
    name: "agent",
    model: "openai/gpt-5.2",
    warnings: [expect.stringContaining("not read")],
  });
});

test("YAML and JSON are read as data, and errors have a position", async () => {
  const document = { engine: { name: "x", custom: { kwargs: { answer: "yes" } } } };
  expect(await parseEngineFile(JSON.stringify(document), "e.json")).toEqual(document);
  expect(await parseEngineFile("engine:\n  name: x\n  custom: { kwargs: { answer: yes } }\n", "e.yaml")).toEqual(
    document,
  );
  for (const [text, line] of [
    ["a: 1\na: 2\n", 2],
    ["a: [1\n", 2],
    ["{", 1],
    ["a: !!js/function x\n", 1],
  ] as const) {
    await expect(parseEngineFile(text, "e.yaml")).rejects.toMatchObject({
      code: "config.malformed",
      details: { path: "e.yaml", line },
    });
  }
});

test("aliases that unfold without end are refused", async () => {
  const levels = Array.from(
    { length: 12 },
    (_, index) =>
      `a${index}: &a${index} [${
        index === 0
          ? "x"
          : Array(10)
              .fill(`*a${index - 1}`)
              .join()
      }]`,
  );
  await expect(parseEngineFile(levels.join("\n"), "e.yaml")).rejects.toMatchObject({ code: "config.malformed" });
});
