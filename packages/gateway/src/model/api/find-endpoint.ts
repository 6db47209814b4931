import type { ModelApi } from "@switchyard/contracts";
import type { ModelAction } from "./model-action.ts";

/** An endpoint of a model API that the gateway serves, as one request names it. */
export interface Endpoint {
  /** Wire format of the endpoint. */
  readonly api: ModelApi;
  /** What the endpoint does. */
  readonly action: ModelAction;
  /** Path relative to the provider's base URL. The version prefix is part of the base URL. */
  readonly path: string;
  /** Model that the path names. `undefined` if the body names the model. */
  readonly model?: string | undefined;
  /** Query that is forwarded, with a leading question mark. An empty string if there is none. */
  readonly query: string;
}

type Row = readonly [method: "POST" | "GET", pattern: RegExp, api: ModelApi | "openai", action: ModelAction];

/** Pattern of a model name in a path. It allows no characters that a server could decode differently. */
const MODEL = "[A-Za-z0-9][A-Za-z0-9._-]{0,199}";

const ROWS: readonly Row[] = [
  ["POST", /^\/v1(\/messages)$/, "anthropic-messages", "generate"],
  ["POST", /^\/v1(\/messages\/count_tokens)$/, "anthropic-messages", "count_tokens"],
  ["POST", /^\/v1(\/responses(?:\/compact)?)$/, "openai-responses", "generate"],
  ["POST", /^\/v1(\/responses\/input_tokens)$/, "openai-responses", "count_tokens"],
  ["POST", /^\/v1(\/chat\/completions)$/, "openai-chat", "generate"],
  ["GET", new RegExp(`^/v1(/models(?:/${MODEL})?)$`), "openai", "list_models"],
  ["POST", new RegExp(`^/v1beta(/models/(${MODEL}):(?:streamG|g)enerateContent)$`), "gemini", "generate"],
  ["POST", new RegExp(`^/v1beta(/models/(${MODEL}):countTokens)$`), "gemini", "count_tokens"],
  ["GET", new RegExp(`^/v1beta(/models(?:/${MODEL})?)$`), "gemini", "list_models"],
];

/**
 * Query parameters that are forwarded. All others are removed, because Google's APIs accept query parameters that
 * contain credentials or replace the HTTP method of the request.
 */
const QUERY: ReadonlySet<string> = new Set([
  ...["beta", "alt", "client_version"],
  ...["limit", "after_id", "before_id", "after", "pageSize", "pageToken"],
]);

function forwardedQuery(query: string): string {
  const forwarded = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query)) if (QUERY.has(name)) forwarded.append(name, value);
  return forwarded.size === 0 ? "" : `?${forwarded}`;
}

/** Returns the API for a request of a model list. OpenAI and Anthropic offer these lists at the same path. */
function listApi({ isAnthropic, offers }: EndpointHints): ModelApi {
  if (isAnthropic) return "anthropic-messages";
  return (["openai-responses", "openai-chat", "anthropic-messages"] as const).find(offers) ?? "openai-responses";
}

/** Data that decides between endpoints with the same path. */
export interface EndpointHints {
  /** True if the request has a header that only clients of Anthropic send. */
  readonly isAnthropic: boolean;
  /** Returns whether a provider that the run may use offers an API. */
  readonly offers: (api: ModelApi) => boolean;
}

/** Returns the endpoint of a request. `undefined` if the gateway does not serve the method or the path. */
export function findEndpoint(
  { method, target }: { readonly method: string; readonly target: string },
  hints: EndpointHints,
): Endpoint | undefined {
  const [path = "", ...query] = target.split("?");
  for (const [rowMethod, pattern, api, action] of ROWS) {
    const match = method === rowMethod ? pattern.exec(path) : null;
    if (match === null) continue;
    const [, below = "", model] = match;
    return {
      ...{ api: api === "openai" ? listApi(hints) : api, action, path: below },
      ...{ model, query: forwardedQuery(query.join("?")) },
    };
  }
  return undefined;
}
