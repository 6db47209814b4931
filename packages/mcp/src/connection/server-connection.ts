import type { NoticePayload, RegisteredTool, ToolArguments, ToolCallContext, ToolOutput } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { McpServerConfig } from "../config/mcp-server-config.ts";
import { type EnvironmentRecord, resolveServerConfig } from "../config/resolve-server-config.ts";
import type { McpServerStatus } from "../mcp-connections.ts";
import { cleanLine } from "../text/clean-text.ts";
import type { TransportContext } from "../transport/open-transport.ts";
import { callServerTool } from "./call-server-tool.ts";
import { describeFailure } from "./describe-failure.ts";
import { type OpenedClient, openClient, StartFailure } from "./open-client.ts";
import type { Timer } from "./timer.ts";
import { createToolTable, type ToolTable } from "./tool-table.ts";

/** First delay between attempts to start a server, in milliseconds. The delay doubles after each failure. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Maximum number of consecutive failed starts. After that, only a tool call restarts the server. */
const MAX_FAILURES = 5;
/** Maximum number of characters of a server's text in a warning. */
const MAX_NOISE_CHARS = 120;
/** Maximum number of characters of a server's name in warnings about its tools. */
const MAX_SHOWN_NAME_CHARS = 80;
const TIMEOUTS = { startMs: 30_000, listMs: 10_000, callMs: 60_000, callTotalMs: 600_000 } as const;

/** Dependencies of a connection to an MCP server. */
export interface ServerContext extends Omit<TransportContext, "sdk" | "name" | "onNoise"> {
  /** Values for the variable references in configurations. */
  readonly env: EnvironmentRecord;
  /** Waits between attempts. */
  readonly timer: Timer;
  /** Masks secrets in messages. */
  readonly masker: Masker;
  /** Called when status, tools or notices have changed. */
  readonly onChange: () => void;
  /** Called with notices (warnings for the user), one sentence each. */
  readonly onNotice: (notice: NoticePayload) => void;
}

/** Connection to one server: starts it, restarts it when it dies, and calls its tools. */
export class ServerConnection implements AsyncDisposable {
  readonly #name: string;
  readonly #config: McpServerConfig;
  readonly #context: ServerContext;
  readonly #closing = new AbortController();
  readonly #table: ToolTable;
  readonly #waiting = new Set<() => void>();
  #state: McpServerStatus["state"] = "connecting";
  #problem: string | undefined;
  #opened: OpenedClient | undefined;
  #isWanted = false;
  #isNoisy = false;
  #wake: () => void = () => {};
  #hasServed = false;
  #run: Promise<void> | undefined;

  constructor(name: string, { label, config, ...context }: ServerContext & { label: string; config: McpServerConfig }) {
    this.#name = name;
    this.#config = config;
    this.#context = context;
    this.#table = createToolTable({
      ...{ server: cleanLine(name, MAX_SHOWN_NAME_CHARS), label, config },
      caller: { call: (tool, args, call) => this.#call(tool, { args, call, isAgain: false }) },
      onWarning: (message) => this.#warn("mcp_tool_left_out", `MCP server ${name}: ${message}`),
    });
  }

  /** Current status. */
  get status(): McpServerStatus {
    const problem = this.#state === "failed" ? { problem: this.#problem } : {};
    return { name: this.#name, state: this.#state, ...problem, tools: this.#table.tools().length };
  }

  /** Returns the known tools of the server. They stay available after the server has ended. */
  tools(): readonly RegisteredTool[] {
    return this.#table.tools();
  }

  /** True if runs fail to start without this server. */
  get isRequired(): boolean {
    return this.#config.required === true;
  }

  /** Resolves when no tool list is being requested from the server, so that the tools are up to date. Never rejects. */
  refreshed(): Promise<void> {
    return this.#table.settled();
  }

  /** Starts the server. Resolves when it is ready or has failed for the first time. */
  start(): Promise<void> {
    const settled = this.#settled();
    this.#run ??= this.#keepConnected();
    return settled;
  }

  /**
   * Closes the connection. Resolves when it is fully closed, including the process of a server that was started for it.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#run;
    this.#set("closed");
  }

  get #timeouts(): Record<keyof typeof TIMEOUTS, number> {
    const given = Object.entries(this.#config.timeouts ?? {}).filter(([, value]) => value !== undefined);
    return { ...TIMEOUTS, ...Object.fromEntries(given) };
  }

  async #keepConnected(): Promise<void> {
    let failures = 0;
    while (!this.#closing.signal.aborted) {
      this.#set("connecting");
      this.#hasServed = false;
      const isWorthwhile = await this.#connectOnce();
      if (this.#closing.signal.aborted) return;
      failures = this.#hasServed ? 1 : failures + 1;
      await this.#pause(isWorthwhile ? failures : MAX_FAILURES);
    }
  }

  /** Starts the server and waits until it ends. Resolves with true if a restart may succeed. */
  async #connectOnce(): Promise<boolean> {
    let opened: OpenedClient | undefined;
    try {
      const sdk = await import("@modelcontextprotocol/client");
      opened = await openClient(resolveServerConfig(this.#name, this.#config, this.#context.env), {
        ...this.#context,
        name: this.#name,
        sdk,
        startMs: this.#timeouts.startMs,
        signal: this.#closing.signal,
        onToolsChanged: () => this.#list(opened),
        onProblem: () => {},
        onNoise: (text) => this.#reportNoise(text),
      });
      await this.#table.load(opened.client, { timeoutMs: this.#timeouts.listMs, signal: this.#closing.signal });
      this.#opened = opened;
      this.#isWanted = false;
      this.#set("ready");
      await Promise.race([opened.gone, this.#aborted()]);
      this.#opened = undefined;
      this.#fail(new Error("the connection ended"), opened.clues());
      return true;
    } catch (error) {
      const failure = error instanceof StartFailure ? error : undefined;
      this.#fail(failure?.cause ?? error, failure?.clues ?? opened?.clues());
      return failure === undefined ? opened !== undefined : failure.kind !== "forbidden";
    } finally {
      await opened?.close();
    }
  }

  #list(opened: OpenedClient | undefined): void {
    // The connection is still being initialised. The tools are listed afterwards.
    if (opened === undefined) return;
    const options = { timeoutMs: this.#timeouts.listMs, signal: this.#closing.signal };
    this.#table.load(opened.client, options).then(
      () => this.#context.onChange(),
      (error: unknown) => {
        // No warning is emitted if listing failed because the server was lost. The loss is reported separately.
        if (this.#opened !== opened) return;
        const problem = describeFailure(error, { masker: this.#context.masker });
        this.#warn(
          "mcp_list_failed",
          `The MCP server ${this.#name} has other tools now but did not list them: ${problem}`,
        );
      },
    );
  }

  #call(
    tool: string,
    { args, call, isAgain }: { args: ToolArguments; call: ToolCallContext; isAgain: boolean },
  ): Promise<ToolOutput> {
    const { callMs, callTotalMs } = this.#timeouts;
    const { masker } = this.#context;
    return callServerTool(tool, args, {
      ...{ server: this.#name, call, callMs, callTotalMs, masker },
      open: () => this.#ready(call.signal),
      onServed: () => {
        this.#hasServed = true;
      },
      onLost: (opened) => {
        if (this.#opened === opened) this.#opened = undefined;
        opened.lose();
      },
      // The server does not know the MCP session, so nothing was executed. The call is repeated in a new session.
      again: isAgain ? undefined : () => this.#call(tool, { args, call, isAgain: true }),
    });
  }

  /** Resolves with the client, after restarting the server if necessary. Rejects with `mcp.unavailable`. */
  async #ready(signal: AbortSignal): Promise<OpenedClient> {
    const { startMs, listMs } = this.#timeouts;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(startMs + listMs)]);
    while (this.#opened === undefined && this.#state !== "closed" && !patience.aborted) {
      this.#isWanted = true;
      this.#wake();
      await Promise.race([this.#settled(), new Promise<void>((resolve) => onAbort(patience, resolve))]);
      // If a start is still requested, the state that ended the wait belongs to the previous process. In this case,
      // waits again.
      if (!this.#isWanted) break;
    }
    if (this.#opened !== undefined) return this.#opened;
    const problem = this.#state === "failed" ? (this.#problem ?? "it failed") : `it is ${this.#state}`;
    throw new EngineError("mcp.unavailable", { server: this.#name, problem });
  }

  /** Resolves when the server is next ready, failed or closed. */
  #settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
    });
  }

  #aborted(): Promise<void> {
    return new Promise((resolve) => onAbort(this.#closing.signal, resolve));
  }

  async #pause(failures: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#closing.signal]);
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    if (!this.#isWanted) {
      await Promise.race([woken, ...(failures < MAX_FAILURES ? [this.#context.timer.sleep(pauseMs, signal)] : [])]);
    }
    over.abort();
    this.#isWanted = false;
  }

  #fail(error: unknown, clues: ReturnType<OpenedClient["clues"]> | undefined): void {
    if (this.#closing.signal.aborted) return;
    this.#problem = describeFailure(error, { masker: this.#context.masker, clues });
    this.#warn("mcp_server_failed", `The MCP server ${this.#name} failed: ${this.#problem}`);
    this.#set("failed");
  }

  #reportNoise(text: string): void {
    if (this.#isNoisy) return;
    this.#isNoisy = true;
    const shown = cleanLine(this.#context.masker.mask(text.slice(0, MAX_NOISE_CHARS * 4)), MAX_NOISE_CHARS);
    const message = `The MCP server ${this.#name} writes text to its standard output, which is for messages only. The text is ignored: ${shown}`;
    this.#warn("mcp_stdout_noise", message);
  }

  #warn(kind: string, message: string): void {
    this.#context.onNotice({ kind, message, details: { server: this.#name } });
  }

  #set(state: McpServerStatus["state"]): void {
    if (this.#state === "closed") return;
    this.#state = state;
    if (state !== "connecting") {
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
    }
    this.#context.onChange();
  }
}

function onAbort(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
}
