/** Variables that configure a provider. */
interface ProviderSource {
  /** Name of the provider in the client. */
  readonly name: string;
  /** Variables that may contain the key. */
  readonly keys: readonly string[];
  /** Variable that may contain the address. */
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
  /** True if it requires a key. */
  readonly needsKey: boolean;
}

/**
 * Servers with OpenAI's chat completions API, after the vendors in the order of preference for the default provider.
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

/** Returns the names of the providers that can be configured by variables. */
export function knownProviders(): readonly string[] {
  return [...VENDOR_SOURCES, ...COMPATIBLE_SOURCES].map(({ name }) => name);
}

/** Returns the variable that usually contains the key of a provider. `undefined` for an unknown provider. */
export function keyVariableOf(provider: string): string | undefined {
  return [...VENDOR_SOURCES, ...COMPATIBLE_SOURCES].find(({ name }) => name === provider)?.keys[0];
}
