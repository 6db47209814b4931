/** Environment variables that configure a provider. */
interface ProviderSource {
  /** Name of the provider in the client. */
  readonly name: string;
  /** Environment variables that may contain the API key. */
  readonly keys: readonly string[];
  /** Environment variable that may contain the base URL. */
  readonly baseUrl: string;
}

/** API of a vendor. */
export interface VendorSource extends ProviderSource {
  readonly name: "openai" | "anthropic" | "gemini";
}

/** The vendors' own APIs, in the order of preference for the default provider. */
export const VENDOR_SOURCES: readonly VendorSource[] = [
  { name: "openai", keys: ["OPENAI_API_KEY"], baseUrl: "OPENAI_BASE_URL" },
  { name: "anthropic", keys: ["ANTHROPIC_API_KEY"], baseUrl: "ANTHROPIC_BASE_URL" },
  { name: "gemini", keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"], baseUrl: "GEMINI_BASE_URL" },
];

/** A server with OpenAI's chat completions API. */
export interface CompatibleSource extends ProviderSource {
  /** Default address. `undefined` if there is none. */
  readonly address: string | undefined;
  /** True if the provider requires an API key. */
  readonly needsKey: boolean;
}

/**
 * Servers with OpenAI's chat completions API. When the default provider is chosen, these servers come after the
 * vendors.
 */
export const COMPATIBLE_SOURCES: readonly CompatibleSource[] = [
  {
    name: "openrouter",
    keys: ["OPENROUTER_API_KEY"],
    baseUrl: "OPENROUTER_BASE_URL",
    address: "https://openrouter.ai/api/v1",
    needsKey: true,
  },
  {
    name: "ollama",
    keys: ["OLLAMA_API_KEY"],
    baseUrl: "OLLAMA_BASE_URL",
    address: "http://localhost:11434/v1",
    needsKey: false,
  },
  {
    name: "vllm",
    keys: ["VLLM_API_KEY"],
    baseUrl: "VLLM_BASE_URL",
    address: "http://localhost:8000/v1",
    needsKey: false,
  },
  {
    name: "llama.cpp",
    keys: ["LLAMA_CPP_API_KEY"],
    baseUrl: "LLAMA_CPP_BASE_URL",
    address: "http://localhost:8080/v1",
    needsKey: false,
  },
  {
    name: "openai-compatible",
    keys: ["OPENAI_COMPATIBLE_API_KEY"],
    baseUrl: "OPENAI_COMPATIBLE_BASE_URL",
    address: undefined,
    needsKey: false,
  },
];

/** Returns the names of the providers that environment variables can configure. */
export function knownProviders(): readonly string[] {
  return [...VENDOR_SOURCES, ...COMPATIBLE_SOURCES].map(({ name }) => name);
}

/**
 * Returns the environment variable that usually contains the API key of a provider. `undefined` for an unknown
 * provider.
 */
export function keyVariableOf(provider: string): string | undefined {
  return [...VENDOR_SOURCES, ...COMPATIBLE_SOURCES].find(({ name }) => name === provider)?.keys[0];
}
