import { EngineError, type ModelRequest } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { ask, clientOf, type Family, READ_FILE } from "./families.ts";
import { answerJson, type SeenRequest, startServer } from "./loopback-server.ts";
import { COMPLETE } from "./wire-answers.ts";

/** The request that is sent, and its warnings. */
async function wire(
  family: Family,
  request: Pick<ModelRequest, "model"> & Partial<ModelRequest>,
): Promise<{ seen: SeenRequest | undefined; warnings: readonly string[] }> {
  await using server = await startServer(answerJson(COMPLETE[family]));
  const client = clientOf(family, `${server.url}/v1`);
  const { warnings } = await client.complete({ ...ask(request.model), ...request });
  return { seen: server.requests[0], warnings };
}

test.each([
  ["claude-sonnet-4-5", null, 64_000],
  ["claude-sonnet-4-5", "high", 64_000],
  ["claude-opus-4-1", "low", 32_000],
  ["house-model-7", null, 16_384],
])(
  "a response of %s with the effort %s may have %i tokens, reasoning included, without a warning",
  async (model, reasoningEffort, maxTokens) => {
    const { seen, warnings } = await wire("anthropic", { model, reasoningEffort });
    expect(seen?.json).toMatchObject({ max_tokens: maxTokens });
    expect(warnings).toEqual([]);
  },
);

test("functions are sent with the provider's own tools, or the model that does not support both is named", async () => {
  const gemini = { tools: [{ id: "google.google_search", name: "google_search" }] };
  const request = { tools: [READ_FILE], providerOptions: { gemini } };
  const { seen } = await wire("gemini", { ...request, model: "gemini-3-pro-preview" });
  expect(JSON.stringify(seen?.at("tools"))).toContain('"name":"read_file"');
  const refused = await wire("gemini", { ...request, model: "gemini-2.5-pro" }).catch((error: unknown) => error);
  expect(EngineError.is(refused, "config.invalid") && refused.message).toContain(
    "gemini-2.5-pro does not accept functions",
  );
  expect((await wire("gemini", { providerOptions: { gemini }, model: "gemini-2.5-pro" })).warnings).toEqual([]);
});
