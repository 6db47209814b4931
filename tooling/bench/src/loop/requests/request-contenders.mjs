// @ts-check
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { textMessage } from "@switchyard/contracts";
import { createAnthropicProvider, createClient, createGeminiProvider, createOpenAiProvider } from "@switchyard/llm";
import { PIECE } from "./wire-stream.mjs";

/** @import { Contender } from "../../figure/take-turns.mjs" */
/** @import { Family } from "./wire-stream.mjs" */
/** @typedef {{ family: Family, deltas: number, messages: number }} Case */

const API_KEY = "sk-0123456789";
const MODELS = { openai: "gpt-5.1", anthropic: "claude-sonnet-4-5", gemini: "gemini-2.5-pro" };
const PROVIDERS = { openai: createOpenAiProvider, anthropic: createAnthropicProvider, gemini: createGeminiProvider };
const TEXT = "What one side says to the other, about as long as a paragraph of it usually is. ".repeat(3);
/** What our client asks for besides the text: the yardstick asks for the same. */
const OPTIONS = { openai: { openai: { store: false } }, anthropic: {}, gemini: {} };

/** @param {number} index @returns {"system" | "user" | "assistant"} */
function roleOf(index) {
  if (index === 0) return "system";
  return index % 2 === 1 ? "user" : "assistant";
}

/**
 * @param {Family} family
 * @param {string} baseURL
 */
function sdkModel(family, baseURL) {
  const settings = { apiKey: API_KEY, baseURL };
  if (family === "openai") return createOpenAI(settings).responses(MODELS.openai);
  if (family === "anthropic") return createAnthropic(settings).languageModel(MODELS.anthropic);
  return createGoogleGenerativeAI(settings).languageModel(MODELS.gemini);
}

/** @param {number} length @returns {import("@ai-sdk/provider").LanguageModelV3Prompt} */
function sdkPrompt(length) {
  return Array.from({ length }, (_, index) => {
    const role = roleOf(index);
    return role === "system" ? { role, content: TEXT } : { role, content: [{ type: "text", text: TEXT }] };
  });
}

/** @param {number} seen @param {number} deltas */
function assertWhole(seen, deltas) {
  if (seen !== deltas * PIECE.length) throw new Error(`${seen} of ${deltas * PIECE.length} characters arrived.`);
}

/**
 * The same request through our client and through the AI SDK's provider, each answer read to its end.
 * @param {string} url
 * @param {Case} chosen
 * @returns {Record<"ours" | "sdk", () => Promise<void>>}
 */
export function requestContenders(url, { family, deltas, messages }) {
  const baseUrl = `${url}/${family}/${deltas}`;
  const provider = PROVIDERS[family]({ apiKey: API_KEY, baseUrl });
  const client = createClient({ providers: { [family]: provider }, defaultProvider: family });
  const request = {
    model: MODELS[family],
    messages: Array.from({ length: messages }, (_, index) => textMessage(roleOf(index), TEXT)),
  };
  const model = sdkModel(family, baseUrl);
  const prompt = sdkPrompt(messages);
  return {
    ours: async () => {
      let seen = 0;
      for await (const event of client.stream(request)) if (event.type === "text_delta") seen += event.text.length;
      assertWhole(seen, deltas);
    },
    sdk: async () => {
      let seen = 0;
      const { stream } = await model.doStream({ prompt, providerOptions: OPTIONS[family] });
      for await (const part of stream) if (part.type === "text-delta") seen += part.delta.length;
      assertWhole(seen, deltas);
    },
  };
}
