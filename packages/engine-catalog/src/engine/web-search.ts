import { EngineError } from "@switchyard/contracts";
import { secret } from "@switchyard/secrets";
import type { WebSearchBackend } from "@switchyard/web";
import type { EngineHost } from "./engine-host.ts";

/** Environment variables with the API keys of web search services. */
const KEY_VARIABLES = { brave: "BRAVE_API_KEY", tavily: "TAVILY_API_KEY" } as const;

const SEARXNG = "searxng:";
const HOW = "Write brave, tavily, or searxng: with the URL of an instance, such as searxng:http://localhost:8080.";

function addressIn(text: string): URL | undefined {
  const address = text.startsWith(SEARXNG) ? text.slice(SEARXNG.length) : "";
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isPlain ? url : undefined;
}

/**
 * Checks the name of a web search backend. Returns a sentence about the problem; `undefined` if the name is valid. The
 * API key is not part of the name, because the name is stored with runs.
 */
export function webSearchProblem(text: string): string | undefined {
  return text === "brave" || text === "tavily" || addressIn(text) !== undefined ? undefined : HOW;
}

/**
 * Returns the web search backend, with its API key from an environment variable. Throws `config.invalid` if the key is
 * missing.
 */
export function webSearchOf({ env }: Pick<EngineHost, "env">, text: string | undefined): WebSearchBackend | undefined {
  if (text === undefined) return undefined;
  if (text === "brave" || text === "tavily") {
    const variable = KEY_VARIABLES[text];
    const key = env[variable]?.trim() ?? "";
    if (key !== "") return { kind: text, apiKey: secret(key) };
    throw new EngineError("config.invalid", {
      field: "web_search",
      problem: `${text} requires a key in ${variable}`,
    });
  }
  const url = addressIn(text);
  if (url === undefined) throw new EngineError("config.invalid", { field: "web_search", problem: HOW });
  return { kind: "searxng", url: url.href };
}
