import { Readable, Writable } from "node:stream";
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { toEngineError } from "@switchyard/contracts";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { createStopSignal } from "../task/stop-signal.ts";
import type { TaskOptions } from "../task/task-options.ts";
import { callRunTool, RUN_TOOLS } from "./run-tools.ts";

/** Serves a client until it goes away. Resolves with the exit code. */
export async function serveMcp(context: CommandContext, options: TaskOptions): Promise<number> {
  const stop = createStopSignal(context);
  const server = new Server({ name: "switchyard", version: context.version }, { capabilities: { tools: {} } });
  const gone = new AbortController();
  const running = new Set<Promise<unknown>>();
  const begun = new Set<string>();
  server.setRequestHandler("tools/list", () => ({ tools: [...RUN_TOOLS] }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const token = params._meta?.progressToken;
    let told = 0;
    const call = callRunTool(context, options, {
      ...{ name: params.name, args: params.arguments ?? {}, begun },
      signal: AbortSignal.any([mcpReq.signal, gone.signal, stop]),
      onProgress: async (message) => {
        if (token === undefined) return;
        told += 1;
        const progress = { progressToken: token, progress: told, message };
        await mcpReq.notify({ method: "notifications/progress", params: progress });
      },
    });
    running.add(call);
    try {
      return await call;
    } catch (error) {
      const { code, message, remedy } = toEngineError(error);
      const text = neutraliseControls(`${message} ${remedy}`);
      return { content: [{ type: "text", text }], structuredContent: { error: { code, message } }, isError: true };
    } finally {
      running.delete(call);
    }
  });
  const wire = context.openWire();
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
  gone.abort();
  // A client that goes away leaves no run behind.
  await Promise.allSettled(running);
  return stop.aborted ? 130 : 0;
}

async function pump(from: ReadableStream<Uint8Array>, to: Readable): Promise<void> {
  for await (const chunk of from) to.push(chunk);
  to.push(null);
}
