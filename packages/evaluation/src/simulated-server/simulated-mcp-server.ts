import type { McpServers } from "@switchyard/mcp";
import type { EvalMcpServer } from "../suite/eval-suite.ts";
import { SERVER_PROGRAM } from "./server-program.ts";

/** Converts the MCP servers of a case to configurations. Simulated servers are programs that run with Node.js. */
export function toMcpServers(servers: Readonly<Record<string, EvalMcpServer>>): McpServers {
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, toConfig(name, server)]));
}

function toConfig(name: string, server: EvalMcpServer): McpServers[string] {
  if (server.kind === "real") return server.config;
  const tools = server.kind === "mock" ? server.tools : undefined;
  // In base64, so that nothing in the responses is interpreted as a reference to an environment variable.
  const data = Buffer.from(JSON.stringify({ name, tools })).toString("base64");
  return { command: "node", args: ["-e", SERVER_PROGRAM, data], required: true };
}
