import { Readable, Writable } from "node:stream";
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { errorText, toEngineError } from "@switchyard/contracts";
import { neutraliseControls } from "@switchyard/terminal";
import type { Wire } from "../host/task-host.ts";
import type { McpHost } from "./mcp-host.ts";
import { callRunTool, RUN_TOOLS } from "./run-tools.ts";

/** Options of `serveMcp`. */
export interface ServeMcpOptions {
  /** Host that executes tasks as runs. */
  readonly host: McpHost;
  /** Version reported to the client. */
  readonly version: string;
  /** Folder that contains the workspaces of all tasks. It can itself be a workspace. */
  readonly root: string;
  /** Signal that stops the server and interrupts all runs. */
  readonly stop: AbortSignal;
}

/**
 * Serves runs as MCP tools until the client disconnects or the signal `stop` aborts. Resolves when all runs have ended.
 */
export async function serveMcp(wire: Wire, { host, version, root, stop }: ServeMcpOptions): Promise<void> {
  const server = new Server({ name: "switchyard", version }, { capabilities: { tools: {} } });
  const disconnected = new AbortController();
  const running = new Set<Promise<unknown>>();
  const started = new Set<string>();
  server.setRequestHandler("tools/list", () => ({ tools: [...RUN_TOOLS] }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const token = params._meta?.progressToken;
    let count = 0;
    const call = callRunTool(host, root, {
      ...{ name: params.name, args: params.arguments ?? {}, started },
      signal: AbortSignal.any([mcpReq.signal, disconnected.signal, stop]),
      onProgress: async (message) => {
        if (token === undefined) return;
        count += 1;
        const progress = { progressToken: token, progress: count, message };
        await mcpReq.notify({ method: "notifications/progress", params: progress });
      },
    });
    running.add(call);
    try {
      return await call;
    } catch (error) {
      const { code, message, remedy } = toEngineError(error);
      const text = neutraliseControls(errorText({ message, remedy }));
      return { content: [{ type: "text", text }], structuredContent: { error: { code, message } }, isError: true };
    } finally {
      running.delete(call);
    }
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  const input = new Readable({ read() {} });
  const ended = pump(wire.readable, input);
  const writer = wire.writable.getWriter();
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => void writer.write(new Uint8Array(chunk)).then(() => done(), done),
  });
  await server.connect(new StdioServerTransport(input, output));
  await Promise.race([closed, ended]);
  disconnected.abort();
  // When the client disconnects, its runs are interrupted.
  await Promise.allSettled(running);
}

async function pump(from: ReadableStream<Uint8Array>, to: Readable): Promise<void> {
  for await (const chunk of from) to.push(chunk);
  to.push(null);
}
