/** Where the key and the address of a provider are looked for. */
interface ProviderSource {
  /** Name of the provider in the client. */
  readonly name: string;
  /** Variables that may hold the key. */
  readonly keys: readonly string[];
  /** Variable that may hold the address. */
  readonly baseUrl: string;
}

/** The API of a vendor. */
export interface VendorSource extends ProviderSource {
  readonly name: "openai" | "anthropic" | "gemini";
}

/** The vendors' own APIs, in the order in which they become the default. */
export const VENDOR_SOURCES: readonly VendorSource[] = [
  { name: "openai", keys: ["OPENAI_API_KEY"], baseUrl: "OPENAI_BASE_URL" },
  { name: "anthropic", keys: ["ANTHROPIC_API_KEY"], baseUrl: "ANTHROPIC_BASE_URL" },
  { name: "gemini", keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"], baseUrl: "GEMINI_BASE_URL" },
];

/** A server that speaks OpenAI's chat completions. */
export interface CompatibleSource extends ProviderSource {
  /** Where it listens as a rule; undefined when it has no usual place. */
  readonly address: string | undefined;
  /** Whether it cannot be used without a key. */
  readonly needsKey: boolean;
}

/** Servers that speak OpenAI's chat completions; they become the default after the vendors, in this order. */
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

/** Names of the providers that an environment can configure. */
export function knownProviders(): readonly string[] {
  return [...VENDOR_SOURCES, ...COMPATIBLE_SOURCES].map(({ name }) => name);
}

/** Variable that usually holds the key of a provider; `undefined` for an unknown provider. */
export function keyVariableOf(provider: string): string | undefined {
  return [...VENDOR_SOURCES, ...COMPATIBLE_SOURCES].find(({ name }) => name === provider)?.keys[0];
}
