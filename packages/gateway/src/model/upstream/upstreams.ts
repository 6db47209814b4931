import { EngineError, type ModelApi } from "@switchyard/contracts";
import type { ModelUpstream } from "../gateway-options.ts";

type Defaults = readonly [baseUrl: string, ...apis: ModelApi[]];

const DEFAULTS: Readonly<Record<string, Defaults>> = {
  anthropic: ["https://api.anthropic.com/v1", "anthropic-messages"],
  openai: ["https://api.openai.com/v1", "openai-responses", "openai-chat"],
  gemini: ["https://generativelanguage.googleapis.com/v1beta", "gemini"],
};

/** A configured provider. */
export interface Upstream {
  /** Name of the provider. */
  readonly name: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path of the base URL, without a trailing slash. */
  readonly basePath: string;
  /** Wire formats that the provider offers. */
  readonly apis: readonly ModelApi[];
  /**
   * Returns the headers that the gateway adds to requests, including the API key, as a list in which each name is followed by
   * its value.
   */
  headers(api: ModelApi): readonly string[];
}

function invalid(name: string, field: string, problem: string): never {
  throw new EngineError("config.invalid", { field: `upstreams.${name}.${field}`, problem });
}

function keyHeaders(api: ModelApi, key: string): readonly string[] {
  if (api === "anthropic-messages") return ["x-api-key", key];
  return api === "gemini" ? ["x-goog-api-key", key] : ["authorization", `Bearer ${key}`];
}

function openUpstream(name: string, { apiKey, baseUrl, apis, headers = {} }: ModelUpstream): Upstream {
  const [defaultUrl, ...defaultApis] = DEFAULTS[name] ?? [undefined];
  const address = baseUrl ?? defaultUrl;
  if (address === undefined) return invalid(name, "baseUrl", "it is missing");
  const url = URL.canParse(address) ? new URL(address) : invalid(name, "baseUrl", "it is not a URL");
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "" || url.hash !== "") {
    invalid(name, "baseUrl", "it is not an http or https URL without user, query and fragment");
  }
  const offered = apis ?? defaultApis;
  if (offered.length === 0) invalid(name, "apis", "it is missing");
  const further = Object.entries(headers).flat();
  return {
    ...{ name, origin: url.origin, basePath: url.pathname.replace(/\/+$/, ""), apis: offered },
    headers: (api) => (apiKey === undefined ? further : [...keyHeaders(api, apiKey.reveal()), ...further]),
  };
}

/** Checks the configured providers. Throws `config.invalid`. */
export function openUpstreams(upstreams: Readonly<Record<string, ModelUpstream>>): readonly Upstream[] {
  const opened = Object.entries(upstreams).map(([name, upstream]) => openUpstream(name, upstream));
  if (opened.length === 0) throw new EngineError("config.invalid", { field: "upstreams", problem: "it is empty" });
  return opened;
}
