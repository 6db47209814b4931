import { EngineError } from "@switchyard/contracts";
import { secret } from "@switchyard/secrets";
import type { WebSearchBackend } from "@switchyard/web";
import { InvalidArgumentError } from "commander";
import type { CommandContext } from "../context/command-context.ts";

/** Variables with the keys of services. */
const KEY_VARIABLES = { brave: "BRAVE_API_KEY", tavily: "TAVILY_API_KEY" } as const;

const SEARXNG = "searxng:";
const HOW = "Write brave, tavily, or searxng: with the address of an instance, such as searxng:http://localhost:8080.";

function addressIn(text: string): URL | undefined {
  const address = text.startsWith(SEARXNG) ? text.slice(SEARXNG.length) : "";
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isPlain ? url : undefined;
}

/** Who searches the web, as it is typed: it is kept with runs, so there is no key in it. */
export function parseWebSearch(text: string): string {
  if (text === "brave" || text === "tavily" || addressIn(text) !== undefined) return text;
  throw new InvalidArgumentError(HOW);
}

/** Who searches the web, with the key of the environment. Throws `config.invalid` where there is none. */
export function webSearchOf(
  { env }: Pick<CommandContext, "env">,
  text: string | undefined,
): WebSearchBackend | undefined {
  if (text === undefined) return undefined;
  if (text === "brave" || text === "tavily") {
    const variable = KEY_VARIABLES[text];
    const key = env[variable]?.trim() ?? "";
    if (key !== "") return { kind: text, apiKey: secret(key) };
    throw new EngineError("config.invalid", { field: "--web-search", problem: `${text} needs a key in ${variable}` });
  }
  const url = addressIn(text);
  if (url === undefined) throw new EngineError("config.invalid", { field: "--web-search", problem: HOW });
  return { kind: "searxng", url: url.href };
}
