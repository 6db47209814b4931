import type { Client, ModelRequest, StreamEvent } from "@switchyard/contracts";
import { textMessage } from "@switchyard/contracts";
import {
  createAnthropicProvider,
  createClient,
  createGeminiProvider,
  createOpenAiProvider,
  type ProviderOptions,
} from "../src/index.ts";

export const KEY = "sk-test-0123456789abcdefghij";

/** The three wire formats, with a model of each and the path of its API. */
export const FAMILIES = [
  { family: "openai", model: "gpt-5.1", base: "/v1", variable: "OPENAI_API_KEY" },
  { family: "anthropic", model: "claude-sonnet-4-5", base: "/v1", variable: "ANTHROPIC_API_KEY" },
  { family: "gemini", model: "gemini-2.5-pro", base: "/v1beta", variable: "GEMINI_API_KEY" },
] as const;

export type Family = (typeof FAMILIES)[number]["family"];

const CREATE = { openai: createOpenAiProvider, anthropic: createAnthropicProvider, gemini: createGeminiProvider };

export function clientOf(family: Family, baseUrl: string, options: Partial<ProviderOptions> = {}): Client {
  const provider = CREATE[family]({ apiKey: KEY, baseUrl, now: () => 0, ...options });
  return createClient({ providers: { [family]: provider }, defaultProvider: family });
}

export function ask(model: string, text = "hello", more: Partial<ModelRequest> = {}): ModelRequest {
  return { model, messages: [textMessage("user", text)], ...more };
}

export async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const collected: StreamEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

export const READ_FILE = {
  name: "read_file",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};
