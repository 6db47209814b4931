import type { FinishReason } from "@switchyard/contracts";

/** One documented finish reason of a provider family. */
export interface FinishReasonRow {
  /** The provider's value, case-insensitive. */
  readonly raw: string;
  /** Unified reason. */
  readonly unified: FinishReason["unified"];
  /** Description of the problem for the model, as a clause. Set for finish reasons that mean an `error`. */
  readonly problem?: string | undefined;
  /** True if the provider paused the response. To continue, the caller sends the response back unchanged. */
  readonly isPaused?: boolean | undefined;
  /** True if the complete tool calls of the response are executed despite this finish reason. */
  readonly keepsCalls?: boolean | undefined;
  /** Page that documents or reports this finish reason. */
  readonly source: string;
}

type Meaning = Omit<FinishReasonRow, "raw" | "source">;

function rows(source: string, meanings: Readonly<Record<string, Meaning>>): readonly FinishReasonRow[] {
  return Object.entries(meanings).map(([raw, meaning]) => ({ raw, ...meaning, source }));
}

const STOP: Meaning = { unified: "stop" };
const LENGTH: Meaning = { unified: "length" };
const CALLS: Meaning = { unified: "tool_calls" };
const FILTER: Meaning = { unified: "content_filter" };
const OTHER: Meaning = { unified: "other" };

function failed(problem: string, more: Partial<Meaning> = {}): Meaning {
  return { unified: "error", problem, ...more };
}

const BAD_CALL = failed("the tool call could not be read");
const OVERLOADED = failed("the provider interrupted it, as it ran out of resources");
const INTERRUPTED = failed("the provider interrupted it");
const UNEXPLAINED = failed("the provider gave no reason", { keepsCalls: true });

const ANTHROPIC = "https://platform.claude.com/docs/en/api/handling-stop-reasons.md";
const OPENAI_CHAT = "https://docs.rs/openai-struct/latest/openai_struct/models/finish_reason/enum.FinishReason.html";
const OPENAI_RESPONSES =
  "https://docs.rs/crate/openai-client-base/0.12.0/source/src/models/object0_13.rs (generated from OpenAI's OpenAPI document)";
const OPENAI_RESPONSES_STEERED = "https://docs.rs/crate/openai-client-base/0.16.0/source/src/models/object0_21.rs";
const VERTEX =
  "https://docs.cloud.google.com/python/docs/reference/vertexai/latest/vertexai.preview.generative_models.FinishReason.md.txt";
const GEMINI_TYPES =
  "https://firebase.google.com/docs/reference/android/com/google/firebase/ai/type/FinishReason; https://googleapis.github.io/kotlin-genai/";
const BEDROCK = "https://docs.aws.amazon.com/de_de/bedrock/latest/APIReference/API_runtime_MessageStopEvent.html";
const WATSONX =
  "https://ibm.github.io/watsonx-ai-node-sdk/enums/1_3_x.WatsonXAI.TextChatResultChoice.Constants.FinishReason.html; https://ibm.github.io/watsonx-ai-node-sdk/enums/0_1_x.WatsonXAI.TextGenResult.Constants.StopReason.html";
const COHERE =
  "https://docs.oracle.com/en-us/iaas/tools/dotnet/latest/api/Oci.GenerativeaiinferenceService.Models.CohereChatResponseV2.FinishReasonEnum.html; https://docs.oracle.com/en-us/iaas/tools/dotnet/90.4.0/api/Oci.GenerativeaiinferenceService.Models.CohereChatResponse.FinishReasonEnum.html";

/** Anthropic's `stop_reason`. */
const ANTHROPIC_ROWS = rows(ANTHROPIC, {
  end_turn: STOP,
  stop_sequence: STOP,
  tool_use: CALLS,
  max_tokens: LENGTH,
  model_context_window_exceeded: LENGTH,
  pause_turn: { unified: "other", isPaused: true },
  refusal: FILTER,
});

/**
 * Finish reasons of OpenAI: values of `finish_reason` in chat completions, and of `incomplete_details.reason` in
 * responses.
 */
const OPENAI_ROWS = [
  ...rows(OPENAI_CHAT, { stop: STOP, length: LENGTH, tool_calls: CALLS, function_call: CALLS, content_filter: FILTER }),
  ...rows(OPENAI_RESPONSES, { max_output_tokens: LENGTH }),
  ...rows(OPENAI_RESPONSES_STEERED, { max_messages: LENGTH, steered: { unified: "other", isPaused: true } }),
];

/**
 * Finish reasons of Gemini: values of `finishReason`, and of `promptFeedback.blockReason`, which Gemini sends without a
 * `finishReason`.
 */
const GEMINI_ROWS = [
  ...rows(VERTEX, {
    STOP,
    MAX_TOKENS: LENGTH,
    SAFETY: FILTER,
    RECITATION: FILTER,
    BLOCKLIST: FILTER,
    PROHIBITED_CONTENT: FILTER,
    SPII: FILTER,
    MODEL_ARMOR: FILTER,
    MALFORMED_FUNCTION_CALL: BAD_CALL,
    OTHER: UNEXPLAINED,
    FINISH_REASON_UNSPECIFIED: UNEXPLAINED,
  }),
  ...rows(GEMINI_TYPES, {
    IMAGE_SAFETY: FILTER,
    IMAGE_PROHIBITED_CONTENT: FILTER,
    IMAGE_RECITATION: FILTER,
    IMAGE_OTHER: OTHER,
    NO_IMAGE: OTHER,
    LANGUAGE: failed("it used a language that the model does not support"),
    UNEXPECTED_TOOL_CALL: failed("it called a tool that is not offered"),
    MALFORMED_RESPONSE: failed("it was malformed"),
    MISSING_THOUGHT_SIGNATURE: failed("the request lacked a thought signature"),
  }),
  ...rows(
    "https://discuss.ai.google.dev/t/gemini-3-6-flash-returns-http-200-with-no-final-text-or-returns-too-many-tool-calls-for-complex-google-search-url-context-requests/176488",
    { TOO_MANY_TOOL_CALLS: failed("it called too many tools in a row") },
  ),
];

/** Finish reasons of servers with OpenAI's chat completions API, in addition to OpenAI's. */
const COMPATIBLE_ROWS = [
  ...rows("https://docs.rs/openai-interface/0.12.0/openai_interface/chat/enum.FinishReason.html", {
    eos: STOP,
    insufficient_system_resource: OVERLOADED,
  }),
  ...rows("https://socket.dev/npm/package/@huggingface/inference/diff/2.6.7", { eos_token: STOP, stop_sequence: STOP }),
  ...rows("https://github.com/vllm-project/vllm/issues/57082", { abort: INTERRUPTED, error: INTERRUPTED }),
  ...rows("https://microsoft.github.io/autogen-for-net/api/AutoGen.Mistral.Choice.FinishReasonEnum.html", {
    model_length: LENGTH,
  }),
  ...rows("https://github.com/BerriAI/litellm/pull/24373", { network_error: INTERRUPTED, sensitive: FILTER }),
  ...rows("https://github.com/ollama/ollama/pull/4235", {
    load: failed("the server loaded the model and generated no response"),
  }),
  ...rows("https://github.com/sammcj/gollama/issues/115", { unload: failed("the server unloaded the model") }),
  ...rows(WATSONX, { time_limit: LENGTH, token_limit: LENGTH, cancelled: INTERRUPTED, not_finished: INTERRUPTED }),
  ...rows(COHERE, {
    complete: STOP,
    tool_call: CALLS,
    error_limit: LENGTH,
    error_toxic: FILTER,
    user_cancel: INTERRUPTED,
  }),
  ...rows(BEDROCK, {
    guardrail_intervened: FILTER,
    content_filtered: FILTER,
    malformed_model_output: failed("it was malformed"),
    malformed_tool_use: BAD_CALL,
  }),
];

/** Every documented finish reason, by provider family. */
export const FINISH_REASONS: Readonly<Record<string, readonly FinishReasonRow[]>> = {
  anthropic: ANTHROPIC_ROWS,
  openai: OPENAI_ROWS,
  gemini: GEMINI_ROWS,
  "openai-compatible": COMPATIBLE_ROWS,
};
