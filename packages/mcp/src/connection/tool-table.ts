import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import type { RegisteredTool } from "@switchyard/contracts";
import type { McpServerConfig } from "../config/mcp-server-config.ts";
import { createServerTool, type ToolCaller } from "../tool/create-server-tool.ts";
import { type ListOptions, listTools } from "../tool/list-tools.ts";
import { nameFilter } from "../tool/name-filter.ts";
import { toolNames } from "../tool/tool-names.ts";

/** The tools of one server as they were listed last. */
export interface ToolTable {
  /** The tools; the same objects as before for those that did not change. */
  tools(): readonly RegisteredTool[];
  /** Resolves when no list is being read any more; never rejects. */
  settled(): Promise<void>;
  /** Asks for the list, once more where one is on its way. Rejects with what the server answered. */
  load(client: Client, options: Omit<ListOptions, "isWanted">): Promise<void>;
}

/** What a table is made with. */
export interface ToolTableOptions {
  /** Name of the server in the configuration. */
  readonly server: string;
  /** What the names begin with. */
  readonly label: string;
  /** What is said about the server. */
  readonly config: McpServerConfig;
  /** Carries out the calls. */
  readonly caller: ToolCaller;
  /** Told of each tool that is left out, once. */
  readonly onWarning: (message: string) => void;
}

/** Makes an empty table. */
export function createToolTable({ server, label, config, caller, onWarning }: ToolTableOptions): ToolTable {
  const isWanted = nameFilter(config);
  const source = `the MCP server ${server}`;
  const isTrusted = config.trustAnnotations === true;
  const warned = new Set<string>();
  let known = new Map<string, { readonly fingerprint: string; readonly tool: RegisteredTool }>();
  /** Digest of each tool as it was listed first: what a permission was given for. */
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
      // One after the other, and of those that wait only the last: each gives the whole list.
      const ticket = ++latest;
      const turn = loading.then(() => (ticket === latest ? load(client, options) : undefined));
      loading = turn.catch(() => {});
      return turn;
    },
  };
}
