import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { EngineError } from "@switchyard/contracts";
import type { ResolvedServer } from "../config/resolve-server-config.ts";
import { type OpenedTransport, openTransport, type TransportContext } from "../transport/open-transport.ts";
import { kindOfFailure } from "./describe-failure.ts";
import { SYSTEM_TIMER } from "./timer.ts";

/** An initialised server. */
export interface OpenedClient {
  /** MCP client that is connected to the server. */
  readonly client: Client;
  /** Resolves when the connection has ended, whichever side closed it. */
  readonly gone: Promise<void>;
  /** Marks the connection as lost. For losses that the transport cannot detect. */
  readonly lose: () => void;
  /** Returns the known reason for the end of the connection, and the server's last error output. */
  readonly clues: OpenedTransport["clues"];
  /**
   * Closes the connection. Resolves when it is fully closed, including the process of a server that was started for it.
   */
  readonly close: () => Promise<void>;
}

/** Options for opening a client. */
export interface OpenClientContext extends TransportContext {
  /** Time limit for initialisation, in milliseconds. */
  readonly startMs: number;
  /** Closes the connection. */
  readonly signal: AbortSignal;
  /** Called when the server's tools have changed. */
  readonly onToolsChanged: () => void;
  /** Called for problems that do not end the connection. */
  readonly onProblem: (error: unknown) => void;
}

/** Time to wait for a process that is still starting after the time limit, so that it can be ended, in milliseconds. */
const LATE_START_MS = 5_000;

/** A failed start, with the server's error output. */
export class StartFailure extends Error {
  readonly clues: ReturnType<OpenedTransport["clues"]>;
  readonly kind: ReturnType<typeof kindOfFailure>;

  constructor({ clues, kind }: Pick<StartFailure, "clues" | "kind">, options: { cause: unknown }) {
    super("the server did not start", options);
    this.clues = clues;
    this.kind = kind;
  }
}

/**
 * Disables the validation of responses against the server's schemas. A malicious server could send a schema with
 * regular expressions that block the client. The model reads the responses, and needs no valid ones.
 */
const NO_VALIDATION = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "answers are not validated" }),
};

/** Resolves with the value of `work`, or rejects as soon as the signal aborts. */
async function inTime<T>(work: Promise<T>, ended: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const over = new Promise<never>((_, reject) => {
    onAbort = () => reject(ended.reason);
    if (ended.aborted) onAbort();
    else ended.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    ended.removeEventListener("abort", onAbort);
  }
}

/** Opens the transport. If it opens after the time limit, closes it again and waits for its end. */
async function openInTime(
  server: ResolvedServer,
  context: OpenClientContext,
  ended: AbortSignal,
): Promise<OpenedTransport> {
  const opening = openTransport(server, context);
  try {
    return await inTime(opening, ended);
  } catch (error) {
    const closed = opening.then(
      (late) => late.close(),
      () => {},
    );
    // If the environment does not report in time whether the process has started, stops waiting for it.
    await Promise.race([closed, SYSTEM_TIMER.sleep(LATE_START_MS)]);
    throw error;
  }
}

function createClient(server: ResolvedServer, context: OpenClientContext, mode: "legacy" | "auto"): Client {
  const { sdk, environment, onToolsChanged, onProblem } = context;
  const isLocal = server.kind === "stdio";
  const client = new sdk.Client(
    { name: "switchyard", version: "1" },
    {
      // The client offers neither sampling nor elicitation.
      // The workspace path is sent only to servers started as a program, not to remote servers.
      capabilities: isLocal ? { roots: {} } : {},
      jsonSchemaValidator: NO_VALIDATION,
      versionNegotiation: { mode },
      // Called when the server's tools change; in the newer protocol revision, the client subscribes to the change.
      // There is no delay, because the next model request should have the new tools.
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
    },
  );
  if (isLocal) {
    const uri = pathToFileURL(environment.workingDirectory).href;
    client.setRequestHandler("roots/list", () => ({ roots: [{ uri, name: "workspace" }] }));
  }
  client.onerror = onProblem;
  return client;
}

async function connect(
  server: ResolvedServer,
  context: OpenClientContext,
  mode: "legacy" | "auto",
): Promise<OpenedClient> {
  const { startMs, signal, sdk } = context;
  const ended = AbortSignal.any([signal, AbortSignal.timeout(startMs)]);
  const opened = await openInTime(server, context, ended);
  const client = createClient(server, context, mode);
  let lose = (): void => {};
  const gone = new Promise<void>((resolve) => {
    lose = resolve;
  });
  client.onclose = lose;
  try {
    await inTime(client.connect(opened.transport, { signal: ended, timeout: startMs }), ended);
  } catch (error) {
    const kind = ended.aborted ? "timeout" : kindOfFailure(error, sdk);
    const late = new EngineError("mcp.malformed", {
      problem: `it did not complete its initialization within ${startMs} ms`,
    });
    await opened.close();
    throw new StartFailure({ clues: opened.clues(), kind }, { cause: kind === "timeout" ? late : error });
  }
  return { client, gone, lose, clues: opened.clues, close: opened.close };
}

/** Returns the MCP transports to try, in order. The next transport is tried if the server rejects the previous one. */
function attemptsOf(server: ResolvedServer): readonly (readonly [ResolvedServer, "legacy" | "auto"])[] {
  const usual = [server, "legacy"] as const;
  if (server.kind === "stdio") return [usual, [server, "auto"]];
  if (server.transport !== undefined) return [usual, [server, "auto"]];
  return [usual, [server, "auto"], [{ ...server, transport: "sse" }, "legacy"]];
}

/** Returns whether a server responded that it does not support the transport. */
function isRefusal(failure: StartFailure): boolean {
  return failure.kind === "refused" || failure.kind === "session_lost" || failure.kind === "other";
}

/**
 * Opens and initialises a server. Tries the newer or older transport if the server responds that it does not support
 * the usual transport. Rejects with a `StartFailure` or an `EngineError`; a failed attempt leaves nothing behind.
 */
export async function openClient(server: ResolvedServer, context: OpenClientContext): Promise<OpenedClient> {
  let first: unknown;
  for (const [way, mode] of attemptsOf(server)) {
    try {
      return await connect(way, context, mode);
    } catch (error) {
      first ??= error;
      if (context.signal.aborted || !(error instanceof StartFailure) || !isRefusal(error)) throw first;
    }
  }
  throw first;
}
