import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import type { RegisteredTool } from "@switchyard/contracts";
import type { McpServerConfig } from "../config/mcp-server-config.ts";
import { createServerTool, type ToolCaller } from "../tool/create-server-tool.ts";
import { type ListOptions, listTools } from "../tool/list-tools.ts";
import { nameFilter } from "../tool/name-filter.ts";
import { toolNames } from "../tool/tool-names.ts";

/** Tools of one MCP server, from its most recent tool list. */
export interface ToolTable {
  /** Returns the tools. A tool that has not changed is the same object as in earlier results. */
  tools(): readonly RegisteredTool[];
  /** Resolves when no tool list is being requested; never rejects. */
  settled(): Promise<void>;
  /**
   * Requests the list. If a request is already in progress, requests the list again after it. Rejects with the server's
   * error.
   */
  load(client: Client, options: Omit<ListOptions, "isWanted">): Promise<void>;
}

/** Options for creating the table of a server's tools. */
export interface ToolTableOptions {
  /** Name of the server in the configuration. */
  readonly server: string;
  /** Prefix of the tools' names for the model. */
  readonly label: string;
  /** Configuration of the server. */
  readonly config: McpServerConfig;
  /** Executes the calls. */
  readonly caller: ToolCaller;
  /** Called once for each omitted tool. */
  readonly onWarning: (message: string) => void;
}

/** Creates an empty table. */
export function createToolTable({ server, label, config, caller, onWarning }: ToolTableOptions): ToolTable {
  const isWanted = nameFilter(config);
  const source = `the MCP server ${server}`;
  const isTrusted = config.trustAnnotations === true;
  const warned = new Set<string>();
  let known = new Map<string, { readonly fingerprint: string; readonly tool: RegisteredTool }>();
  /** Digest of each tool as first listed. Rules that allow a tool apply only to this version of it. */
  const firstDigests = new Map<string, string>();
  let tools: readonly RegisteredTool[] = [];
  let loading: Promise<void> = Promise.resolve();
  let latest = 0;

  async function load(client: Client, options: Omit<ListOptions, "isWanted">): Promise<void> {
    const list = await listTools(client, { ...options, isWanted });
    for (const warning of list.warnings) {
      if (!warned.has(warning)) onWarning(warning);
      warned.add(warning);
    }
    const names = toolNames(
      label,
      list.tools.map(({ name }) => name),
    );
    const next: typeof known = new Map();
    for (const listed of list.tools) {
      const name = names.get(listed.name) ?? listed.name;
      const fingerprint = JSON.stringify([name, listed]);
      const before = known.get(listed.name);
      const digest = createHash("sha256").update(fingerprint).digest("hex");
      const first = firstDigests.get(listed.name) ?? digest;
      firstDigests.set(listed.name, first);
      const revision = { digest, hasChanged: digest !== first };
      const tool =
        before?.fingerprint === fingerprint
          ? before.tool
          : createServerTool(listed, { name, source, caller, isTrusted, revision });
      next.set(listed.name, { fingerprint, tool });
    }
    known = next;
    tools = Array.from(next.values(), ({ tool }) => tool);
  }
  return {
    tools: () => tools,
    settled: () => loading,
    load(client, options) {
      // Tool lists are requested one at a time.
      // Only the last of several waiting requests is executed: every response contains the complete list.
      const ticket = ++latest;
      const turn = loading.then(() => (ticket === latest ? load(client, options) : undefined));
      loading = turn.catch(() => {});
      return turn;
    },
  };
}
