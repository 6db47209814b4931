import { expect, test } from "vitest";
import { modelBaseUrl } from "../index.ts";

test("clients of OpenAI's APIs get a base URL with the version, unless the access names another one", () => {
  const baseUrl = "http://127.0.0.1:4242";
  expect(modelBaseUrl({ baseUrl }, "openai-responses")).toBe(`${baseUrl}/v1`);
  expect(modelBaseUrl({ baseUrl }, "openai-chat")).toBe(`${baseUrl}/v1`);
  expect(modelBaseUrl({ baseUrl }, "anthropic-messages")).toBe(baseUrl);
  expect(modelBaseUrl({ baseUrl }, "gemini")).toBe(baseUrl);
  const baseUrls = { gemini: "http://127.0.0.1:4343/v1beta" };
  expect(modelBaseUrl({ baseUrl, baseUrls }, "gemini")).toBe(baseUrls.gemini);
});
