import type { Transport } from "@modelcontextprotocol/client";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { ResolvedServer } from "../config/resolve-server-config.ts";
import { SYSTEM_TIMER } from "../connection/timer.ts";
import type { McpSignIns } from "../sign-in/mcp-sign-in.ts";
import { accessTo } from "../sign-in/server-access.ts";
import { boundedFetch, type Fetch } from "./bounded-fetch.ts";
import type { MaskedText } from "./error-tail.ts";
import type { McpSdk } from "./mcp-sdk.ts";
import { SpawnedTransport } from "./spawned-transport.ts";

/** What transports are made with. */
export interface TransportContext {
  /** Starts the processes. */
  readonly environment: ExecutionEnvironment;
  /** The SDK. */
  readonly sdk: McpSdk;
  /** Makes the HTTP requests. */
  readonly fetch: Fetch;
  /** Most bytes of one message. */
  readonly maxMessageBytes: number;
  /** Name of the server, for messages. */
  readonly name: string;
  /** Where sign-ins are kept; nobody signs in without it. */
  readonly signIns: McpSignIns | undefined;
  /** Told of every token before it is used first. */
  readonly onSecret: (value: string) => void;
  /** Called once for each connection whose server writes text between its messages, with the first of it. */
  readonly onNoise: (text: string) => void;
  /** Hides secrets in what a server prints for people. */
  readonly maskStream: () => MaskedText;
}

/** A way to a server, and what is known of its end. */
export interface OpenedTransport {
  /** For the client. */
  readonly transport: Transport;
  /** Why it ended and what the server printed last, as far as that is known. */
  readonly clues: () => { readonly problem?: string | undefined; readonly errors: string };
  /** Ends it; resolves when nothing of it is left. Contract: never rejects. */
  readonly close: () => Promise<void>;
}

/** Time a server has to hear that its session is over, in milliseconds. */
const FAREWELL_MS = 1_000;

async function openSpawned(
  server: Extract<ResolvedServer, { kind: "stdio" }>,
  { environment, sdk, maxMessageBytes, maskStream, onNoise }: TransportContext,
): Promise<OpenedTransport> {
  const { argv, cwd, variables } = server;
  // architecture, decision 19: core variables and those of the configuration.
  const process = await environment.spawn(argv, { cwd, env: { policy: "core", set: variables } });
  const parse = sdk.parseJSONRPCMessage;
  const transport = new SpawnedTransport({ process, parse, maxMessageBytes, mask: maskStream(), onNoise });
  return {
    transport,
    clues: () => ({ problem: transport.problem, errors: transport.errors }),
    close: () => transport.close(),
  };
}

function openHttp(
  server: Extract<ResolvedServer, { kind: "http" }>,
  { sdk, fetch, maxMessageBytes, name, signIns, onSecret }: TransportContext,
): OpenedTransport {
  const { url, headers } = server;
  const authProvider = accessTo(server, { name, sdk, fetch, signIns, onSecret });
  const options = {
    ...{ requestInit: { headers }, fetch: boundedFetch(fetch, maxMessageBytes) },
    ...(authProvider === undefined ? {} : { authProvider }),
  };
  const clues = (): { errors: string } => ({ errors: "" });
  if (server.transport === "sse") {
    const transport = new sdk.SSEClientTransport(url, options);
    return { transport, clues, close: () => transport.close().catch(() => {}) };
  }
  const transport = new sdk.StreamableHTTPClientTransport(url, options);
  return {
    transport,
    clues,
    close: async () => {
      // Not every server keeps sessions, and one that is gone hears nothing.
      await Promise.race([transport.terminateSession().catch(() => {}), SYSTEM_TIMER.sleep(FAREWELL_MS)]);
      await transport.close().catch(() => {});
    },
  };
}

/** Opens the way to a server: its process is started here, nothing is said yet. Rejects with `environment.*` errors. */
export async function openTransport(server: ResolvedServer, context: TransportContext): Promise<OpenedTransport> {
  return server.kind === "stdio" ? openSpawned(server, context) : openHttp(server, context);
}
