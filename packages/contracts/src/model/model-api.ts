/**
 * Wire format of a model provider: Anthropic's Messages API, OpenAI's Responses or Chat Completions API, or the Gemini
 * API.
 */
export type ModelApi = "anthropic-messages" | "openai-responses" | "openai-chat" | "gemini";
