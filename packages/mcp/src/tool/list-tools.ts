import type { Client } from "@modelcontextprotocol/client";
import { EngineError } from "@switchyard/contracts";
import { capText, cleanLine, cleanText } from "../text/clean-text.ts";
import { cleanSchema, isRecord } from "./clean-schema.ts";
import { LOOSE_RESULT } from "./loose-result.ts";

/** Maximum number of tools of one server. Further tools are not offered. */
const MAX_TOOLS = 256;
/** Maximum number of pages of a tool list that are requested. */
const MAX_PAGES = 64;
/** Maximum length of a tool's description, in characters. Longer descriptions are truncated. */
const MAX_DESCRIPTION_CHARS = 4_096;
/** Maximum length of a tool's name in a warning, in characters. Longer names are truncated. */
const MAX_SHOWN_NAME_CHARS = 80;
/** Maximum length of a tool's name, in characters. A tool with a longer name is not offered. */
const MAX_NAME_CHARS = 1_024;

/** A server's tool, with clean texts of limited length. */
export interface ListedTool {
  /** Name under which the server knows the tool. */
  readonly name: string;
  /** Description. */
  readonly description: string;
  /** Parameter schema, whose root is an object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** True if the server annotates the tool as read-only. */
  readonly isReadonly: boolean;
  /** True if the server annotates the tool as idempotent. */
  readonly isIdempotent: boolean;
}

/** Tools of a server. */
export interface ToolList {
  /** Tools with unique names. */
  readonly tools: readonly ListedTool[];
  /** Problems of omitted tools. */
  readonly warnings: readonly string[];
}

/** Options for requesting a list. */
export interface ListOptions {
  /** Total time limit for all pages, in milliseconds. */
  readonly timeoutMs: number;
  /** Signal that aborts the request. */
  readonly signal: AbortSignal;
  /** Returns true if the tool of the given name should be offered. */
  readonly isWanted: (name: string) => boolean;
}

/** A tool list as sent by the server. */
interface FetchedTools {
  readonly tools: readonly unknown[];
  /** True if the server has more pages than were requested. */
  readonly hasMore: boolean;
}

/** Fetches all pages of the server's tool list. */
async function fetchTools(client: Client, { timeoutMs, signal }: ListOptions): Promise<FetchedTools> {
  const tools: unknown[] = [];
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && tools.length <= MAX_TOOLS; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: "tools/list", params }, LOOSE_RESULT, {
      signal: ended,
      timeout: timeoutMs,
    });
    if (!Array.isArray(result["tools"]))
      throw new EngineError("mcp.malformed", { problem: "its response is not a list of tools" });
    for (const tool of result["tools"]) tools.push(tool);
    const next = result["nextCursor"];
    if (typeof next !== "string" || next === "" || next === cursor) return { tools, hasMore: false };
    cursor = next;
  }
  return { tools, hasMore: true };
}

function readTool(value: unknown): ListedTool | string {
  if (!isRecord(value)) return "A tool was left out, because it is not an object.";
  const { name, title, description, inputSchema, annotations } = value;
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME_CHARS) {
    return "A tool was left out: it has no name of a usable length.";
  }
  const schema = cleanSchema(inputSchema);
  if (schema.kind === "refused") {
    return `The tool ${cleanLine(name, MAX_SHOWN_NAME_CHARS)} was left out: ${schema.problem}.`;
  }
  const hints = isRecord(annotations) ? annotations : {};
  const text = [description, title, hints["title"]].find(
    (candidate) => typeof candidate === "string" && candidate !== "",
  );
  return {
    name,
    description: typeof text === "string" ? capText(cleanText(text), MAX_DESCRIPTION_CHARS) : "",
    schema: schema.schema,
    isReadonly: hints["readOnlyHint"] === true,
    isIdempotent: hints["idempotentHint"] === true,
  };
}

/** Requests a server's tools. Unusable tools are omitted with a warning. Rejects if there is no list. */
export async function listTools(client: Client, options: ListOptions): Promise<ToolList> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], warnings: [] };
  const tools = new Map<string, ListedTool>();
  const warnings: string[] = [];
  const fetched = await fetchTools(client, options);
  for (const value of fetched.tools) {
    const tool = readTool(value);
    if (typeof tool === "string") warnings.push(tool);
    else if (!options.isWanted(tool.name)) continue;
    else if (tools.has(tool.name)) {
      warnings.push(
        `The tool ${cleanLine(tool.name, MAX_SHOWN_NAME_CHARS)} is listed twice; the first one is offered.`,
      );
    } else if (tools.size < MAX_TOOLS) tools.set(tool.name, tool);
    else {
      warnings.push(`Only the first ${MAX_TOOLS} tools are offered.`);
      return { tools: [...tools.values()], warnings };
    }
  }
  if (fetched.hasMore) {
    warnings.push(`Only the first ${fetched.tools.length} tools of its list were read; the rest is not offered.`);
  }
  return { tools: [...tools.values()], warnings };
}
