import { EngineError, type ToolArguments, type ToolCallContext, type ToolOutput } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { cleanLine } from "../text/clean-text.ts";
import { LOOSE_RESULT } from "../tool/loose-result.ts";
import { toToolOutput } from "../tool/to-tool-output.ts";
import { describeFailure, kindOfFailure } from "./describe-failure.ts";
import type { OpenedClient } from "./open-client.ts";

/** Maximum number of progress updates shown for one call. Later updates are dropped. */
const MAX_UPDATES = 1_000;
/** Maximum length of one progress update, in characters. A longer update is truncated. */
const MAX_UPDATE_CHARS = 500;

/** Options of a tool call. */
export interface ServerCall {
  /** Name of the server, for messages. */
  readonly server: string;
  /** Context of the tool call. */
  readonly call: ToolCallContext;
  /** Time limit for a response or progress report, in milliseconds. */
  readonly callMs: number;
  /** Total time limit, regardless of progress, in milliseconds. */
  readonly callTotalMs: number;
  /** Masks secrets in messages. */
  readonly masker: Masker;
  /** Resolves with the connected MCP client. Rejects with `mcp.unavailable`. */
  readonly open: () => Promise<OpenedClient>;
  /** Called when the server has responded to the tool call. */
  readonly onServed: () => void;
  /** Called when the connection turns out to be lost. */
  readonly onLost: (opened: OpenedClient) => void;
  /** Repeats the call in a new MCP session. `undefined` on the second attempt, which is not repeated. */
  readonly again: (() => Promise<ToolOutput>) | undefined;
}

/** Emits progress as lines, such as `3/10 Indexing files`. */
function createProgressHandler({ onUpdate }: ToolCallContext) {
  let updates = 0;
  return ({
    progress,
    total,
    message,
  }: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }) => {
    if (++updates > MAX_UPDATES) return;
    const share = total === undefined ? `${progress}` : `${progress}/${total}`;
    onUpdate(`${cleanLine(`${share} ${message ?? ""}`, MAX_UPDATE_CHARS)}\n`);
  };
}

/** Calls a tool of a server. Rejects with `mcp.unavailable`, `mcp.timeout` or `mcp.call_failed`. */
export async function callServerTool(tool: string, args: ToolArguments, options: ServerCall): Promise<ToolOutput> {
  const { server, call, callMs, callTotalMs, masker } = options;
  const { signal } = call;
  const opened = await options.open();
  try {
    const result = await opened.client.request(
      { method: "tools/call", params: { name: tool, arguments: { ...args } } },
      LOOSE_RESULT,
      {
        ...{ signal, timeout: callMs, resetTimeoutOnProgress: true, maxTotalTimeout: callTotalMs },
        onprogress: createProgressHandler(call),
      },
    );
    options.onServed();
    return toToolOutput(result);
  } catch (error) {
    if (signal.aborted) return { content: "The call was cancelled.", isError: true };
    const kind = kindOfFailure(error, await import("@modelcontextprotocol/client"));
    if (kind === "timeout") {
      throw new EngineError("mcp.timeout", { server, tool, timeoutMs: callMs }, { cause: error });
    }
    if (kind === "lost" || kind === "session_lost") {
      options.onLost(opened);
      if (kind === "session_lost" && options.again !== undefined) return options.again();
      const problem = describeFailure(error, { masker, clues: opened.clues() });
      throw new EngineError("mcp.unavailable", { server, problem }, { cause: error });
    }
    // The server rejected the call, so it is running and has responded.
    if (kind === "refused") options.onServed();
    const problem = describeFailure(error, { masker });
    throw new EngineError("mcp.call_failed", { server, tool, problem }, { cause: error });
  }
}
