import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { EngineError } from "@switchyard/contracts";
import type { ResolvedServer } from "../config/resolve-server-config.ts";
import { type OpenedTransport, openTransport, type TransportContext } from "../transport/open-transport.ts";
import { kindOfFailure } from "./describe-failure.ts";
import { SYSTEM_TIMER } from "./timer.ts";

/** A server that has introduced itself. */
export interface OpenedClient {
  /** Speaks with it. */
  readonly client: Client;
  /** Resolves when the connection is over, whoever ended it. */
  readonly gone: Promise<void>;
  /** Says that it is over, where the transport cannot tell. */
  readonly lose: () => void;
  /** What is known of its end. */
  readonly clues: OpenedTransport["clues"];
  /** Ends it; resolves when nothing of it is left. */
  readonly close: () => Promise<void>;
}

/** How a client is opened. */
export interface OpenClientContext extends TransportContext {
  /** Time until the server has introduced itself, in milliseconds. */
  readonly startMs: number;
  /** Ends it when it fires. */
  readonly signal: AbortSignal;
  /** Told when the server has other tools than before. */
  readonly onToolsChanged: () => void;
  /** Told of what is not as it should be, though the connection goes on. */
  readonly onProblem: (error: unknown) => void;
}

/** Time that a process which is started too late is waited for, to end it, in milliseconds. */
const LATE_START_MS = 5_000;

/** A failed start with what the server printed. */
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
 * Nothing is validated by the schemas of a server's answers: they are for the model, and the server writes the patterns in
 * them.
 */
const NO_VALIDATION = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "answers are not validated" }),
};

/** Rejects when the signal fires. */
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

/** The way to a server; one that is there too late is closed again, and waited for. */
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
    // A place that cannot even say whether it starts a process is left behind.
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
      // Neither sampling nor elicitation. Where the workspace is concerns nobody on the network.
      capabilities: isLocal ? { roots: {} } : {},
      jsonSchemaValidator: NO_VALIDATION,
      versionNegotiation: { mode },
      // Asked for by a subscription where the protocol's newer revision is spoken.
      // At once: the next model request is to have the new tools.
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
    const late = new EngineError("mcp.malformed", { problem: `it did not introduce itself within ${startMs} ms` });
    await opened.close();
    throw new StartFailure({ clues: opened.clues(), kind }, { cause: kind === "timeout" ? late : error });
  }
  return { client, gone, lose, clues: opened.clues, close: opened.close };
}

/** Ways to a server in the order in which they are tried: the next one where the server refuses the one before. */
function attemptsOf(server: ResolvedServer): readonly (readonly [ResolvedServer, "legacy" | "auto"])[] {
  const usual = [server, "legacy"] as const;
  if (server.kind === "stdio") return [usual, [server, "auto"]];
  if (server.transport !== undefined) return [usual, [server, "auto"]];
  return [usual, [server, "auto"], [{ ...server, transport: "sse" }, "legacy"]];
}

/** Whether a server answered that it does not speak that way. */
function isRefusal(failure: StartFailure): boolean {
  return failure.kind === "refused" || failure.kind === "session_lost" || failure.kind === "other";
}

/**
 * Opens a server and lets it introduce itself. Tried again in the newer or in the older way where the server answers that
 * it does not know the usual one. Rejects with a `StartFailure` or an `EngineError`; nothing is left of what failed.
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
