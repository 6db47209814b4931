import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutionEnvironment, RegisteredTool, ToolCallContext, ToolOutput } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import {
  type ConnectOptions,
  connectMcpServers,
  type McpConnections,
  type McpServerSettings,
  type McpServers,
  type StdioServerConfig,
} from "../src/index.ts";

/** MCP servers under test, in a separate environment. */
export interface OpenServers extends AsyncDisposable {
  readonly root: string;
  readonly environment: ExecutionEnvironment;
  readonly connections: McpConnections;
  /** Returns the tool with a name. */
  tool(name: string): RegisteredTool;
  /** Calls a tool. Rejects with the error of the call. */
  call(name: string, args?: Record<string, unknown>, context?: Partial<ToolCallContext>): Promise<ToolOutput>;
  /** Ends the remaining processes of the environment, and resolves with their number. */
  leftovers(): Promise<number>;
}

function server(
  file: string,
  args: readonly string[] = [],
  settings: Partial<StdioServerConfig> = {},
): StdioServerConfig {
  return { command: process.execPath, args: [join(import.meta.dirname, "fixtures", file), ...args], ...settings };
}

/** Configuration of the toolbox server, which has a tool for each feature that an MCP server may use. */
export function toolbox(settings: Partial<StdioServerConfig> = {}): StdioServerConfig {
  return server("toolbox-server.mjs", [], settings);
}

/** Configuration of a toolbox server that supports only the newer revision of the MCP protocol. */
export function newerToolbox(settings: Partial<StdioServerConfig> = {}): StdioServerConfig {
  return server("newer-server.mjs", [], settings);
}

/** Configuration of a server with the given fault. */
export function unruly(fault: string, settings: McpServerSettings = {}, file = ""): StdioServerConfig {
  return server("unruly-server.mjs", [fault, file], settings);
}

/** Starts servers, and waits until each is ready or has failed. */
export async function openServers(
  servers: McpServers | ((root: string) => McpServers),
  options: Partial<ConnectOptions> = {},
): Promise<OpenServers> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "switchyard-mcp-")));
  const environment = await openLocalEnvironment({ root, env: process.env });
  const given = typeof servers === "function" ? servers(root) : servers;
  const connections = await connectMcpServers({ servers: given, environment, startWaitMs: 60_000, ...options });
  const tool = (name: string): RegisteredTool => {
    const found = connections.tools().find(({ definition }) => definition.name === name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found;
  };
  return {
    ...{ root, environment, connections, tool },
    async call(name, args = {}, context = {}) {
      const limits = { commandTimeouts: { defaultMs: 1, maxMs: 1 } };
      const signal = new AbortController().signal;
      const output = await tool(name).execute(args, environment, {
        ...{ signal, callId: "call", onUpdate: () => {}, ...limits },
        ...context,
      });
      return typeof output === "string" ? { content: output } : output;
    },
    async leftovers() {
      const root = await mkdtemp(join(tmpdir(), "switchyard-mcp-"));
      const other = await openLocalEnvironment({ root });
      try {
        return (await other.endMarked?.(environment.processMark ?? "")) ?? 0;
      } finally {
        await other[Symbol.asyncDispose]();
        await rm(root, { recursive: true });
      }
    },
    async [Symbol.asyncDispose]() {
      await connections[Symbol.asyncDispose]();
      await environment[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Resolves with the code and the message of the error with which a call rejects. */
export async function failureOf(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await call;
  } catch (error) {
    if (EngineError.is(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("the call did not fail");
}

/** Resolves when the connections meet a condition. */
export function until(connections: McpConnections, isThere: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): boolean => {
      if (!isThere()) return false;
      stop();
      resolve();
      return true;
    };
    const stop = connections.onChange(look);
    look();
  });
}
