/** A server's wording for `max_tokens` above the model's limit. */
export interface OutputLimitWording {
  /** Server or provider that uses this wording. */
  readonly server: string;
  /**
   * Pattern that matches the error message. Its named groups contain numbers of tokens. Which of them exist depends on
   * the message:
   * - `limit`: maximum output. `end`: maximum output plus one.
   * - `window`: size of the context window, if the limit applies to input and output together.
   * - `input`: size of the input. `total`: size of input and output.
   * - `sent`: `max_tokens` of the request.
   */
  readonly pattern: RegExp;
  /** Example of an error message with this wording. */
  readonly example: string;
  /** URL of a page that documents or quotes an error message with this wording. */
  readonly source: string;
}

/** Error messages of providers that reject a `max_tokens` above the model's limit. */
export const OUTPUT_LIMIT_WORDINGS: readonly OutputLimitWording[] = [
  {
    server: "OpenAI, Azure OpenAI, Xiaomi MiMo",
    pattern:
      /max(?:_completion|_output)?_tokens is too large: (?<sent>\d+)\. This model supports at most (?<limit>\d+) completion tokens/i,
    example:
      "max_tokens is too large: 20480. This model supports at most 16384 completion tokens, whereas you provided 20480.",
    source: "https://github.com/tailcallhq/forgecode/issues/1185",
  },
  {
    server: "Volcengine, OpenAI Responses",
    pattern:
      /max_(?:completion_|output_)?tokens\W.{0,80}above maximum value.{0,40}<= (?<limit>\d+)(?:, but got (?<sent>\d+))?/i,
    example:
      "The parameter `max_completion_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 12288, but got 32000 instead.",
    source: "https://github.com/Gitlawb/openclaude/issues/331",
  },
  {
    server: "Groq",
    pattern: /max_(?:completion_)?tokens\W{0,3}(?:for \S+ )?must be less than or equal to\W{0,3}(?<limit>\d+)/i,
    example:
      "`max_tokens` must be less than or equal to `16384`, the maximum value for `max_tokens` is less than the `context_window` for this model",
    source: "https://github.com/RooCodeInc/Roo-Code/issues/5136",
  },
  {
    server: "Anthropic",
    pattern: /max_tokens: (?<sent>\d+) > (?<limit>\d+), which is the maximum allowed number of output tokens/i,
    example:
      "max_tokens: 128001 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-5-20251101",
    source: "https://github.com/anthropics/claude-code/issues/24451",
  },
  {
    server: "DeepSeek",
    pattern: /valid range of max_tokens is \[\d+, ?(?<limit>\d+)\]/i,
    example: "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
    source: "https://github.com/Gitlawb/openclaude/issues/35",
  },
  {
    server: "DashScope (Qwen)",
    pattern: /range of max_tokens should be \[\d+, ?(?<limit>\d+)\]/i,
    example: "<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]",
    source: "https://www.alibabacloud.com/help/zh/model-studio/error-code",
  },
  {
    server: "Vertex AI",
    pattern:
      /maxOutputTokens value of (?<sent>\d+) but the supported range is from \d+ \(inclusive\) to (?<end>\d+) \(exclusive\)/i,
    example:
      "Unable to submit request because it has a maxOutputTokens value of 10000 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.",
    source: "https://github.com/BerriAI/litellm/pull/10548",
  },
  {
    server: "Amazon Bedrock",
    pattern: /maximum tokens you requested exceeds? the model limit of (?<limit>\d+)/i,
    example:
      "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.",
    source: "https://github.com/langgenius/dify/issues/10390",
  },
  {
    server: "Text Generation Inference",
    pattern: /(?<!\+ `?)max_new_tokens`? must be <= (?<limit>\d+)/i,
    example: "Input validation error: `max_new_tokens` must be <= 192. Given: 250",
    source: "https://github.com/huggingface/transformers/issues/28523",
  },
  {
    server: "Text Generation Inference, for input and output together",
    pattern: /max_new_tokens`? must be <= (?<window>\d+)\. Given: (?<input>\d+) `?inputs`? tokens and (?<sent>\d+)/i,
    example:
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 100 `inputs` tokens and 2000 `max_new_tokens`",
    source: "https://github.com/opea-project/GenAIInfra/issues/487",
  },
  {
    server: "vLLM, for input and output together",
    pattern:
      /max_completion_tokens'? is too large: (?<sent>\d+)\. This model's maximum context length is (?<window>\d+) tokens and your request has (?<input>\d+) input tokens/i,
    example:
      "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 2104 input tokens (32000 > 32768 - 2104).",
    source: "https://github.com/canfieldjuan/finetunelab.ai/blob/main/docs/MAX_TOKENS_CONTEXT_OVERFLOW_FIX.md",
  },
  {
    server: "Anthropic, for input and output together",
    pattern: /`?max_tokens`? exceed context limit: (?<input>\d+) \+ (?<sent>\d+) > (?<window>\d+)/i,
    example:
      "input length and `max_tokens` exceed context limit: 10000 + 198000 > 200000, decrease input length or `max_tokens` and try again",
    source: "https://github.com/BrokkAi/brokk-app/issues/540",
  },
  {
    server: "OpenAI, Azure OpenAI, DeepSeek, OpenRouter, for input and output together",
    pattern:
      /maximum context length is (?<window>\d+) tokens.{0,40}requested (?:about )?(?<total>\d+) tokens \(.{0,120}?(?<sent>\d+) (?:in|for) the (?:completion|output)\)/i,
    example:
      "This model's maximum context length is 8192 tokens. However, you requested 8256 tokens (64 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    source: "https://github.com/ChatGPTNextWeb/NextChat/issues/3195",
  },
  {
    server: "Servers that none of the rows names",
    pattern:
      /max_?(?:new_|output_|completion_)?tokens\b.{0,80}?(?:at most|<=|≤|less than or equal to|cannot exceed|not exceed|must not exceed|exceeds?(?: the)?(?: model'?s?)? (?:maximum|limit)(?: of)?|up to|maximum(?: value)?(?: is| of|:)?|between \d+ and|\[\d+,) ?`?(?<limit>\d+)/i,
    example: "max_tokens must be at most 4096",
    source: "https://docs.aurous-labs.com/api-reference/errors/max_tokens_exceeds_hard_cap",
  },
];

/** Matches errors that concern only `max_tokens`, whether or not they state a limit. */
const ABOUT_OUTPUT = /\bmax_?(?:new_|output_|completion_)?tokens\b|\b(?:output|completion) tokens?\b/i;
const ABOUT_INPUT = /\b(?:prompt|inputs?|messages?|conversation|request (?:has|contains)|context limit)\b/i;

/** A server's limit on the output of a request. */
export interface OutputLimit {
  /** True if the limit applies to input and output together. */
  readonly isShared: boolean;
  /**
   * Maximum `max_tokens` that the server would accept. Absent if the server does not state a limit, or if the input
   * takes more than half of the context window.
   */
  readonly limit?: number;
  /** `max_tokens` of the request, as counted by the server. */
  readonly sent?: number;
}

/**
 * Maximum share of the context window for the input. Above it, shortening the input helps more than lowering the output
 * limit.
 */
const INPUT_SHARE = 0.5;

function numberIn(groups: Readonly<Record<string, string | undefined>>, name: string): number | undefined {
  const digits = groups[name];
  return digits === undefined ? undefined : Number(digits);
}

function fromGroups(groups: Readonly<Record<string, string | undefined>>): OutputLimit {
  const sent = numberIn(groups, "sent");
  const sentTokens = sent === undefined ? {} : { sent };
  const window = numberIn(groups, "window");
  if (window === undefined) {
    const end = numberIn(groups, "end");
    const limit = end === undefined ? numberIn(groups, "limit") : end - 1;
    return limit === undefined ? { isShared: false, ...sentTokens } : { isShared: false, limit, ...sentTokens };
  }
  const input = numberIn(groups, "input") ?? (numberIn(groups, "total") ?? window) - (sent ?? 0);
  const fits = input <= window * INPUT_SHARE;
  return fits ? { isShared: true, limit: window - input, ...sentTokens } : { isShared: true, ...sentTokens };
}

/** Parses an error about the requested output. `undefined` if the error has another cause. */
export function outputLimitIn(text: string): OutputLimit | undefined {
  const plain = text.replace(/(\d),(?=\d{3}\b)/g, "$1");
  for (const { pattern } of OUTPUT_LIMIT_WORDINGS) {
    const groups = pattern.exec(plain)?.groups;
    if (groups !== undefined) return fromGroups(groups);
  }
  return ABOUT_OUTPUT.test(plain) && !ABOUT_INPUT.test(plain) ? { isShared: false } : undefined;
}
