import type { Transport } from "@modelcontextprotocol/client";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { McpLogins } from "../authorization/mcp-login.ts";
import { accessTo } from "../authorization/server-access.ts";
import type { ResolvedServer } from "../config/resolve-server-config.ts";
import { SYSTEM_TIMER } from "../connection/timer.ts";
import { boundedFetch, type Fetch } from "./bounded-fetch.ts";
import type { MaskedText } from "./error-tail.ts";
import type { McpSdk } from "./mcp-sdk.ts";
import { SpawnedTransport } from "./spawned-transport.ts";

/** Dependencies of transports. */
export interface TransportContext {
  /** Starts the processes. */
  readonly environment: ExecutionEnvironment;
  /** The MCP SDK. */
  readonly sdk: McpSdk;
  /** Function that performs the HTTP requests. */
  readonly fetch: Fetch;
  /** Maximum size of one message, in bytes. */
  readonly maxMessageBytes: number;
  /** Name of the server, for messages. */
  readonly name: string;
  /** Store of logins. `undefined`: no logins. */
  readonly logins: McpLogins | undefined;
  /** Called with every token before its first use. */
  readonly onSecret: (value: string) => void;
  /** Called once per connection, with the first output of the server that is not a protocol message. */
  readonly onNoise: (text: string) => void;
  /** Masks secrets in a server's error output. */
  readonly maskStream: () => MaskedText;
}

/** An open transport, and information about why it ended. */
export interface OpenedTransport {
  /** Transport for the client. */
  readonly transport: Transport;
  /** Returns the reason for the end of the transport, if known, and the server's last error output. */
  readonly clues: () => { readonly problem?: string | undefined; readonly errors: string };
  /**
   * Closes the transport. Resolves when it is fully closed, including the process of a server that was started for it.
   * Contract: never rejects.
   */
  readonly close: () => Promise<void>;
}

/** Time limit for the request that ends the session with a server, in milliseconds. */
const FAREWELL_MS = 1_000;

async function openSpawned(
  server: Extract<ResolvedServer, { kind: "stdio" }>,
  { environment, sdk, maxMessageBytes, maskStream, onNoise }: TransportContext,
): Promise<OpenedTransport> {
  const { argv, cwd, variables } = server;
  // The process gets the core variables and those of the configuration. See architecture, decision 19.
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
  { sdk, fetch, maxMessageBytes, name, logins, onSecret }: TransportContext,
): OpenedTransport {
  const { url, headers } = server;
  const authProvider = accessTo(server, { name, sdk, fetch, logins, onSecret });
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
      // Errors are ignored: not every server supports sessions, and a server that has ended does not respond.
      await Promise.race([transport.terminateSession().catch(() => {}), SYSTEM_TIMER.sleep(FAREWELL_MS)]);
      await transport.close().catch(() => {});
    },
  };
}

/**
 * Opens the transport to a server and starts its process, without sending anything. Rejects with `environment.*`
 * errors.
 */
export async function openTransport(server: ResolvedServer, context: TransportContext): Promise<OpenedTransport> {
  return server.kind === "stdio" ? openSpawned(server, context) : openHttp(server, context);
}
