import { expect, test } from "vitest";
import { defaultModels, outdatedModels } from "../src/document-models.mjs";

test("a model that is not a default model is named with its line", () => {
  const text =
    "Use `openai/gpt-4o`.\n\nOr claude-sonnet-5-5, o3, gemini/gemini-2.5-pro; claude-code and gemini-cli are agents.\n";
  expect(outdatedModels("guide.md", text, ["claude-sonnet-5-5", "gpt-6.2-sol"])).toEqual([
    expect.stringMatching(/^guide\.md:1: gpt-4o is not a default model\. Use one of claude-sonnet-5-5, gpt-6\.2-sol\./),
    expect.stringMatching(/^guide\.md:3: o3 /),
    expect.stringMatching(/^guide\.md:3: gemini-2\.5-pro /),
  ]);
});

test("each vendor of the catalog has a default model", () => {
  expect(defaultModels().sort()).toEqual([
    expect.stringMatching(/^claude-/),
    expect.stringMatching(/^gemini-/),
    expect.stringMatching(/^gpt-/),
  ]);
});
