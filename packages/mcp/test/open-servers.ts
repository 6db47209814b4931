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

/** Servers under test in an environment of their own. */
export interface OpenServers extends AsyncDisposable {
  readonly root: string;
  readonly environment: ExecutionEnvironment;
  readonly connections: McpConnections;
  /** The tool of a name. */
  tool(name: string): RegisteredTool;
  /** Calls a tool; a failure is its code. */
  call(name: string, args?: Record<string, unknown>, context?: Partial<ToolCallContext>): Promise<ToolOutput>;
  /** Processes that are left of the environment, which are ended. */
  leftovers(): Promise<number>;
}

function server(
  file: string,
  args: readonly string[] = [],
  settings: Partial<StdioServerConfig> = {},
): StdioServerConfig {
  return { command: process.execPath, args: [join(import.meta.dirname, "fixtures", file), ...args], ...settings };
}

/** The server with a tool for everything that a server may do. */
export function toolbox(settings: Partial<StdioServerConfig> = {}): StdioServerConfig {
  return server("toolbox-server.mjs", [], settings);
}

/** The same for clients of the protocol's newer revision alone. */
export function newerToolbox(settings: Partial<StdioServerConfig> = {}): StdioServerConfig {
  return server("newer-server.mjs", [], settings);
}

/** A server that does something wrong. */
export function unruly(fault: string, settings: McpServerSettings = {}, file = ""): StdioServerConfig {
  return server("unruly-server.mjs", [fault, file], settings);
}

/** Starts servers; long enough is waited for each to be ready or to fail. */
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

/** The code of what a call fails with, and its message. */
export async function failureOf(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await call;
  } catch (error) {
    if (EngineError.is(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("the call did not fail");
}

/** Resolves when the connections are as they are waited for. */
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
