// @ts-check
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { textMessage } from "@switchyard/contracts";
import { createAnthropicProvider, createClient, createGeminiProvider, createOpenAiProvider } from "@switchyard/llm";
import { PIECE } from "./wire-stream.mjs";

/** @import { Family } from "./wire-stream.mjs" */
/** @typedef {{ family: Family, deltas: number, messages: number }} Case */

const API_KEY = "sk-0123456789";
const MODELS = { openai: "gpt-5.1", anthropic: "claude-sonnet-4-5", gemini: "gemini-2.5-pro" };
const PROVIDERS = { openai: createOpenAiProvider, anthropic: createAnthropicProvider, gemini: createGeminiProvider };
const TEXT = "What one side says to the other, about as long as a paragraph of it usually is. ".repeat(3);
/** Options that our client sets; the yardstick sets the same. */
const OPTIONS = {
  openai: { providerOptions: { openai: { store: false } } },
  anthropic: { maxOutputTokens: 64_000 },
  gemini: {},
};

/**
 * Returns the role of a message: the user speaks last, and there are instructions if there is room.
 * @param {number} index
 * @param {number} length
 * @returns {"system" | "user" | "assistant"}
 */
function roleOf(index, length) {
  if ((length - index) % 2 === 1) return "user";
  return index === 0 ? "system" : "assistant";
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

/** The messages that our client marks for Anthropic's cache: the instructions and the last two inputs. */
const MARK = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };

/**
 * Returns the prompt that results in the same bytes as our request.
 * @param {Case} chosen
 * @returns {import("@ai-sdk/provider").LanguageModelV3Prompt}
 */
function sdkPrompt({ family, messages }) {
  return Array.from({ length: messages }, (_, index) => {
    const role = roleOf(index, messages);
    const isLast = role === "user" && index >= messages - 3;
    const marked = family === "anthropic" && (role === "system" || isLast);
    const mark = marked ? MARK : {};
    return role === "system"
      ? { role, content: TEXT, ...mark }
      : { role, content: [{ type: "text", text: TEXT }], ...mark };
  });
}

/**
 * A response as seen by both: text, tokens, and finish reason.
 * @typedef {{ text: string, outputTokens: number | undefined, finishReason: string | undefined }} Answer
 */

/** @param {Answer} answer @param {number} deltas */
function assertWhole({ text, outputTokens, finishReason }, deltas) {
  if (text.length !== deltas * PIECE.length)
    throw new Error(`${text.length} of ${deltas * PIECE.length} characters arrived.`);
  if (outputTokens !== 2 || finishReason !== "stop") throw new Error("The answer has no usage or no reason to stop.");
}

/**
 * Reads a stream like a caller of the AI SDK's provider that needs the deltas and the response.
 * @param {ReadableStream<import("@ai-sdk/provider").LanguageModelV3StreamPart>} stream
 * @returns {Promise<Answer>}
 */
async function readParts(stream) {
  /** @type {Answer} */
  const answer = { text: "", outputTokens: undefined, finishReason: undefined };
  for await (const part of stream) {
    if (part.type === "text-delta") answer.text += part.delta;
    else if (part.type === "error") throw part.error;
    else if (part.type === "finish") {
      answer.outputTokens = part.usage.outputTokens.total;
      answer.finishReason = part.finishReason.unified;
    }
  }
  return answer;
}

/**
 * @param {AsyncIterable<import("@switchyard/contracts").StreamEvent>} events
 * @returns {Promise<Answer>}
 */
async function readEvents(events) {
  /** @type {Answer} */
  const answer = { text: "", outputTokens: undefined, finishReason: undefined };
  for await (const event of events) {
    if (event.type === "text_delta") answer.text += event.text;
    else if (event.type === "finish") {
      answer.outputTokens = event.response.usage.outputTokens;
      answer.finishReason = event.response.finishReason.unified;
    }
  }
  return answer;
}

/**
 * Sends the same request through our client and through the AI SDK's provider, and reads each response completely.
 * @param {string} url
 * @param {Case} chosen
 * @returns {Record<"ours" | "sdk", () => Promise<void>>}
 */
export function requestContenders(url, chosen) {
  const { family, deltas, messages } = chosen;
  const baseUrl = `${url}/${family}/${deltas}`;
  const provider = PROVIDERS[family]({ apiKey: API_KEY, baseUrl });
  const client = createClient({ providers: { [family]: provider }, defaultProvider: family });
  const request = {
    model: MODELS[family],
    messages: Array.from({ length: messages }, (_, index) => textMessage(roleOf(index, messages), TEXT)),
  };
  const model = sdkModel(family, baseUrl);
  const prompt = sdkPrompt(chosen);
  // Every caller that may cancel a call passes a signal.
  const newSignal = () => new AbortController().signal;
  return {
    ours: async () => assertWhole(await readEvents(client.stream({ ...request, signal: newSignal() })), deltas),
    sdk: async () => {
      const { stream } = await model.doStream({ prompt, abortSignal: newSignal(), ...OPTIONS[family] });
      assertWhole(await readParts(stream), deltas);
    },
  };
}
