/** A server's wording for a request that exceeds the context window. */
export interface OverflowWording {
  /** Server or provider that uses this wording. */
  readonly server: string;
  /** Pattern that matches the error message. */
  readonly pattern: RegExp;
  /**
   * HTTP statuses with which this wording means that the context is too long. `rejection`: 400, 413 and 422. `any`:
   * also 5xx, and errors inside a stream, for wordings that have no other meaning.
   */
  readonly status: "rejection" | "any";
  /** Host whose responses may contain this wording. Absent: every host. */
  readonly host?: RegExp;
  /** Example of an error message with this wording. */
  readonly example: string;
  /** URL of the page that shows this wording of the error message. */
  readonly source: string;
}

const PI =
  "https://github.com/earendil-works/pi/blob/17c253c5d6a9364b392a0fd3ee68333026d94255/packages/ai/src/utils/overflow.ts";

/** Wordings of context overflow, most of them quoted from user reports. */
export const OVERFLOW_WORDINGS: readonly OverflowWording[] = [
  {
    server: "OpenAI, Azure OpenAI and servers that use their error codes",
    pattern: /context[_ ](?:length|window)[_ ]exceeded|context[_ ]too[_ ](?:large|long)/i,
    status: "any",
    example: "context_length_exceeded",
    source: "https://github.com/ChatGPTNextWeb/NextChat/issues/3195",
  },
  {
    server: "OpenAI chat completions, Azure OpenAI, DeepSeek, vLLM, Together",
    pattern: /maximum context length (?:is|of) [\d,]+/i,
    status: "any",
    example:
      "This model's maximum context length is 131072 tokens. However, you requested 131329 tokens (123137 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    source: "https://github.com/musistudio/claude-code-router/issues/895",
  },
  {
    server: "OpenAI Responses",
    pattern:
      /exceeds? (?:the|this|its|your) (?:model'?s? )?context (?:window|length)|exceeds? (?:the )?model'?s? context window/i,
    status: "any",
    example: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    source: "https://github.com/the-open-agent/openagent/issues/2344",
  },
  {
    server: "OpenAI",
    pattern: /input tokens exceed the configured limit/i,
    status: "any",
    example: "Input tokens exceed the configured limit of 272000 tokens.",
    source: "https://github.com/BerriAI/litellm/issues/18927",
  },
  {
    server: "OpenRouter",
    pattern: /endpoint'?s maximum context length/i,
    status: "any",
    example:
      "This endpoint's maximum context length is 202752 tokens. However, you requested about 203889 tokens (183648 of text input, 4241 of tool input, 16000 in the output). Please reduce the length of either one, or use the context-compression plugin to compress your prompt automatically.",
    source: "https://github.com/autohandai/code-cli/issues/100",
  },
  {
    server: "OpenRouter (Poolside)",
    pattern: /exceeds (?:the )?maximum allowed input length/i,
    status: "any",
    example: "Input length 140000 exceeds the maximum allowed input length of 131072 tokens.",
    source: PI,
  },
  {
    server: "Servers that compare with the model's maximum context length, such as LiteLLM and SGLang",
    pattern: /exceeds? (?:the )?(?:model'?s )?maximum context length/i,
    status: "any",
    example: "Requested token count exceeds the model's maximum context length of 131072 tokens",
    source: PI,
  },
  {
    server: "LiteLLM, which wraps the error of the provider, also under 5xx",
    pattern: /ContextWindowExceededError/,
    status: "any",
    example:
      'litellm.InternalServerError: litellm.ContextWindowExceededError: AnthropicError - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 200480 tokens > 200000 maximum"}}',
    source: "https://github.com/BerriAI/litellm/issues/7259",
  },
  {
    server: "Anthropic, Vertex AI (Claude), Fireworks, Ollama Cloud",
    pattern: /(?:prompt|input) is too long/i,
    status: "any",
    example: "prompt is too long: 209303 tokens > 200000 maximum",
    source: "https://github.com/OpenHands/OpenHands/issues/5350",
  },
  {
    server: "Anthropic",
    pattern: /input length and `?max_tokens`? exceed context limit/i,
    status: "any",
    example:
      "input length and `max_tokens` exceed context limit: 179413 + 32768 > 200000, decrease input length or `max_tokens` and try again",
    source: "https://github.com/BrokkAi/brokk-app/issues/540",
  },
  {
    server: "Anthropic, for the size in bytes",
    pattern: /request_too_large|exceeds the maximum size/i,
    status: "rejection",
    example: "request_too_large Request exceeds the maximum size",
    source: PI,
  },
  {
    server: "Gemini, Vertex AI",
    pattern: /input token count.{0,40}exceeds the maximum/i,
    status: "any",
    example: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    source: PI,
  },
  {
    server: "Amazon Bedrock",
    pattern: /input is too long for requested model/i,
    status: "any",
    example: "Input is too long for requested model.",
    source: "https://github.com/aws-samples/assessment-generator/issues/2",
  },
  {
    server: "Amazon Bedrock, for the size in bytes",
    pattern: /too many total text bytes/i,
    status: "any",
    example: "The model returned the following errors: too many total text bytes: 4000000 > 3000000",
    source: "https://github.com/open-webui/open-webui/issues/11620",
  },
  {
    server: "xAI",
    pattern: /maximum prompt length is [\d,]+/i,
    status: "any",
    example: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    source: PI,
  },
  {
    server: "Kimi, Moonshot",
    pattern: /exceeded model token limit/i,
    status: "any",
    example: "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)",
    source: PI,
  },
  {
    server: "DashScope (Qwen), iFlytek",
    pattern: /range of input length should be/i,
    status: "any",
    example: "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]",
    source: "https://github.com/QwenLM/qwen-code/issues/3652",
  },
  {
    server: "z.ai, Zhipu (code 1261)",
    pattern: /prompt exceeds max length|prompt too long|prompt ?超长|^1261\b/i,
    status: "any",
    example: "1261 Prompt exceeds max length",
    source: "https://github.com/mangowhoiscloud/geode/pull/668",
  },
  {
    server: "z.ai, in another wording of the same code",
    pattern: /prompt too long/i,
    status: "any",
    example: "1261 Prompt too long",
    source: "https://github.com/earendil-works/pi/issues/9805",
  },
  {
    server: "z.ai coding plan",
    pattern: /tokens in request more than max tokens allowed/i,
    status: "any",
    example: "tokens in request more than max tokens allowed",
    source: "https://github.com/anomalyco/opencode/issues/27629",
  },
  {
    server: "Zhipu (GLM)",
    pattern: /input tokens exceeds? (?:the )?model'?s maximum context length/i,
    status: "any",
    example:
      "API 调用参数有误，请检查文档。Request 182387 input tokens exceeds the model's maximum context length 202750",
    source: "https://github.com/foreveryh/claude-code-switch/issues/12",
  },
  {
    server: "Mistral",
    pattern: /too large for model with [\d,]+ maximum context length/i,
    status: "any",
    example: "Prompt contains 150000 tokens and 0 draft tokens, too large for model with 131072 maximum context length",
    source: PI,
  },
  {
    server: "Groq, Cerebras",
    pattern: /reduce the length of the (?:input )?(?:messages|prompt)/i,
    status: "any",
    example: "Please reduce the length of the messages or completion.",
    source: PI,
  },
  {
    server: "Cerebras, which may answer without a body",
    pattern: /^$/,
    status: "rejection",
    host: /(?:^|\.)cerebras\.ai$/i,
    example: "",
    source: PI,
  },
  {
    server: "Together, SGLang",
    pattern: /is longer than the model'?s context length/i,
    status: "any",
    example: "The input (140000 tokens) is longer than the model's context length (131072 tokens).",
    source: "https://github.com/BerriAI/litellm/issues/10793",
  },
  {
    server: "Text Generation Inference, Together",
    pattern: /`?inputs`? tokens \+ `?max_new_tokens`? must be <=|`?inputs`? must have less than [\d,]+ tokens/i,
    status: "any",
    example:
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 65537. Given: 79993 `inputs` tokens and 1024 `max_new_tokens`",
    source: "https://github.com/bytedance/UI-TARS-desktop/issues/626",
  },
  {
    server: "vLLM",
    pattern:
      /(?:request|prompt) (?:has|contains)(?: at least)? [\d,]+ (?:input )?tokens.{0,80}(?:reduce|maximum|longer)|longer than the maximum model length/i,
    status: "any",
    example:
      "This model's maximum context length is 16384 tokens. However, your request has 18225 input tokens. Please reduce the length of the input messages. None",
    source: "https://github.com/QwenLM/Qwen-Agent/issues/759",
  },
  {
    server: "llama.cpp",
    pattern: /exceed_context_size_error|exceeds the available context size/i,
    status: "any",
    example:
      "exceed_context_size_error request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it",
    source: "https://github.com/ggml-org/llama.cpp/pull/15780",
  },
  {
    server: "llama.cpp and LM Studio, with status 500",
    pattern: /context size has been exceeded/i,
    status: "any",
    example: "Context size has been exceeded.",
    source: "https://github.com/ggml-org/llama.cpp/issues/19774",
  },
  {
    server: "llama-cpp-python, with status 500",
    pattern: /requested tokens.{0,20}exceed context window/i,
    status: "any",
    example: "Requested tokens (5136) exceed context window of 4096",
    source: "https://github.com/nextcloud/context_chat_backend/issues/27",
  },
  {
    server: "LM Studio",
    pattern: /tokens to keep from the initial prompt.{0,40}greater than the context length/i,
    status: "any",
    example:
      "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 10247 >= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter prompt.",
    source: "https://github.com/tinyhumansai/openhuman/issues/3550",
  },
  {
    server: "LM Studio, in other versions",
    pattern:
      /cannot truncate prompt with n_keep|trying to keep the first [\d,]+ tokens|reached context length of [\d,]+/i,
    status: "any",
    example: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)",
    source: "https://github.com/anomalyco/opencode/issues/11141",
  },
  {
    server: "Ollama",
    pattern: /exceeded (?:max )?context length|input length exceeds (?:the )?(?:maximum )?context length/i,
    status: "any",
    example: "prompt too long; exceeded max context length by 1024 tokens",
    source: PI,
  },
  {
    server: "MiniMax",
    pattern: /context window exceeds limit/i,
    status: "any",
    example: "invalid params, context window exceeds limit (2013)",
    source: PI,
  },
  {
    server: "GitHub Copilot",
    pattern: /prompt token count.{0,40}exceeds the limit/i,
    status: "any",
    example: "prompt token count of 140000 exceeds the limit of 128000",
    source: PI,
  },
  {
    server: "Vertex AI, Gemini CLI's service",
    pattern: /input token count is [\d,]+ but (?:the )?model only supports/i,
    status: "any",
    example:
      "Unable to submit request because the input token count is 1251952 but model only supports up to 1048576. Reduce the input token count and try again.",
    source: "https://github.com/google-gemini/gemini-cli/issues/19727",
  },
  {
    server: "Volcengine Ark, SGLang",
    pattern: /input length \(?[\d,]+(?: tokens)?\)? exceeds (?:the|model'?s) maximum (?:allowed )?length/i,
    status: "any",
    example: "Input length 203743 exceeds the maximum length 202752. Request id: 021788256632854",
    source: "https://github.com/langgenius/dify/issues/32221",
  },
  {
    server: "DeepInfra, also with status 500",
    pattern: /requested input length [\d,]+ exceeds maximum input length/i,
    status: "any",
    example: "Requested input length 99009 exceeds maximum input length 8192",
    source: "https://github.com/langchain-ai/langchain/pull/25671",
  },
  {
    server: "Cohere",
    pattern: /too many tokens: total number of tokens.{0,40}cannot exceed/i,
    status: "any",
    example:
      "too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value.",
    source: "https://github.com/cohere-ai/sandbox-topically/issues/4",
  },
  {
    server: "Salesforce, and servers that count the tokens of a request against a limit",
    pattern:
      /^(?!.*(?:max_|output|completion|quota|monthly|daily|rate))(?:.*(?:input|prompt|context|sequence) (?:length|tokens?)[^.;:]{0,30}(?:exceeds?|exceeded|is over|is above|longer than|greater than)[^.;]{0,30}(?:max|limit)|.*[\d,]+ tokens?[^.;:]{0,30}(?:exceeds?|is over|is above|is more than)[^.;]{0,30}limit|.*(?:input|prompt) tokens [\d,]+ cannot exceed|.*(?:max(?:imum)? (?:prompt|input) tokens|token limit) exceeded[^.;]{0,5}(?:$|prompt|input|context))/i,
    status: "rejection",
    example: "Request input tokens exceed model token limit. Reduce the input size.",
    source: "https://github.com/forcedotcom/Einstein-GPT-for-Developers/issues/228",
  },
  {
    server: "Servers that none of the rows names",
    pattern:
      /(?:context|prompt|input|messages|conversation|tokens?)[^.;:]{0,40}(?:exceed|longer than|greater than|more than|too (?:long|large|many)|over)[^.;]{0,60}(?:context (?:length|window|size|limit)|(?:max|maximum)[^.;]{0,20}(?:tokens|context|model length)|token limit)/i,
    status: "rejection",
    example: "The conversation (9000 tokens) is longer than the maximum context of 8192",
    source: PI,
  },
  {
    server: "Servers that none of the rows names, in few words",
    pattern:
      /context (?:length|window|size|limit)[^.;]{0,30}(?:exceeded|overflow|too (?:long|large))|too many (?:input|prompt) tokens/i,
    status: "rejection",
    example: "context length limit exceeded",
    source: PI,
  },
];

/** An error that resembles context overflow but has another cause. */
export interface OverflowLookalike {
  /** Actual cause of the error. */
  readonly about: string;
  /** Pattern that identifies it. */
  readonly pattern: RegExp;
  /** Example of an error message with this wording. */
  readonly example: string;
  /** Page that reports or documents this wording. */
  readonly source: string;
}

/** Errors that mention tokens, lengths or limits but have another cause. Output limits have a separate table. */
export const OVERFLOW_LOOKALIKES: readonly OverflowLookalike[] = [
  {
    about: "a limit on tokens per minute or day",
    pattern: /tokens? per (?:minute|min|hour|day)|\bTP[MD]\b|rate[_ -]?limit/i,
    example:
      "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 34000. The input or output tokens must be reduced in order to run successfully.",
    source: "https://github.com/DrShushen/climb/issues/13",
  },
  {
    about: "throttling, which Bedrock words with too many tokens",
    pattern: /throttl|too many requests|please wait before trying again/i,
    example: "ThrottlingException: Too many tokens, please wait before trying again.",
    source: PI,
  },
];
