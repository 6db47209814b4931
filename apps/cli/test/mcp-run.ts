import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type MockAnswer, startMockModel, type WireFormat } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const SERVER = resolve(import.meta.dirname, "fixtures/scripted-mcp-server.mjs");
const KEYS = {
  ANTHROPIC_API_KEY: "test-key-that-is-not-real",
  OPENAI_API_KEY: "test-key-that-is-not-real",
  GEMINI_API_KEY: "test-key-that-is-not-real",
};

/** Tool that a server lists. */
interface ScriptedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

/** Behaviour of a server; see `fixtures/scripted-mcp-server.mjs`. */
interface ServerScript {
  readonly tools?: readonly ScriptedTool[];
  readonly lateMs?: number;
  readonly isMute?: boolean;
  readonly noise?: string;
  readonly toolsAfterCall?: readonly ScriptedTool[];
  readonly changesAt?: string;
  readonly listMs?: number;
  readonly isListMuteAfterChange?: boolean;
  readonly log?: string;
}

/** A run with MCP servers. */
export interface McpRun {
  readonly servers: Readonly<Record<string, ServerScript>>;
  readonly answers: readonly MockAnswer[];
  readonly format?: WireFormat;
  readonly words?: readonly string[];
  /** Additional fields of servers in the MCP configuration file, by server name. */
  readonly settings?: Readonly<Record<string, object>>;
}

/**
 * Runs one task with MCP servers and a mock model. Resolves with the output, the stored events and the model requests.
 */
export async function runWithServers({ servers, answers, format = "anthropic", words = [], settings = {} }: McpRun) {
  const { baseUrl, mock } = await startMockModel(format, answers);
  const mcpServers = Object.fromEntries(
    Object.entries(servers).map(([name, script]) => [
      name,
      { command: process.execPath, args: [SERVER, JSON.stringify(script)], ...settings[name] },
    ]),
  );
  const cwd = await makeFolder({ "mcp.json": JSON.stringify({ mcpServers }) });
  const state = await makeFolder();
  const run = await switchyard(
    [
      "run",
      "--model",
      `${format}/m`,
      "--base-url",
      baseUrl,
      "--state",
      state,
      "--mcp-config",
      "mcp.json",
      ...words,
      "Do it.",
    ],
    { cwd, env: KEYS },
  );
  const [id] = await readdir(join(state, "runs")).catch(() => []);
  const events =
    id === undefined ? "" : await readFile(join(state, "runs", id, "events.jsonl"), "utf8").catch(() => "");
  return { ...run, cwd, events, bodies: mock.getRequests().map(({ body }) => body) };
}
