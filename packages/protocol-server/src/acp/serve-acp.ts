import {
  agent,
  type FileSystemCapabilities,
  type InitializeResponse,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type SessionModeState,
} from "@agentclientprotocol/sdk";
import { toEngineError } from "@switchyard/contracts";
import { isPermissionMode, type PermissionMode } from "@switchyard/settings";
import type { TaskHost, Wire } from "../host/task-host.ts";
import type { AcpSession } from "./acp-session.ts";
import { toRequestError } from "./request-error.ts";
import { createSessionRegistry } from "./session-registry.ts";

const MODES: Readonly<Record<PermissionMode, { name: string; description: string }>> = {
  plan: { name: "Plan", description: "Reads the project and responds with a plan, without making changes." },
  ask: { name: "Ask", description: "Asks for approval before each change." },
  auto: { name: "Auto", description: "Makes changes without asking for approval." },
};

/** Options of `serveAcp`. */
export interface ServeAcpOptions {
  /** Host that executes prompts as runs. */
  readonly host: TaskHost;
  /** Version reported to the editor. */
  readonly version: string;
  /** Initial permission mode of sessions. */
  readonly mode: PermissionMode;
  /** State folder. Sessions are stored in its subfolder `acp`. */
  readonly stateDirectory: string;
  /** True if runs work on files of this machine, which the editor may have open. */
  readonly usesEditorFiles: boolean;
  /** Signal that stops the server and interrupts all runs. */
  readonly stop: AbortSignal;
}

/**
 * Serves an editor over ACP until the editor disconnects or the signal `stop` aborts. Resolves when all runs have
 * ended.
 */
export async function serveAcp(wire: Wire, options: ServeAcpOptions): Promise<void> {
  const { host, version, mode, stateDirectory, usesEditorFiles, stop } = options;
  let capabilities: FileSystemCapabilities | null | undefined;
  const registry = createSessionRegistry({
    ...{ host, stateDirectory, mode, stop },
    capabilities: () => (usesEditorFiles ? capabilities : undefined),
  });
  const app = agent({ name: "switchyard" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities?.fs;
      return initializeResponse(version);
    })
    .onRequest(methods.agent.session.new, async ({ params }) => {
      const session = await registry.open(params);
      return { sessionId: session.id, modes: modesOf(session) };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const { session, updates } = await toRequestErrors(registry.reopen(params));
      for await (const update of updates) {
        await client.notify(methods.client.session.update, { sessionId: session.id, update });
      }
      return { modes: modesOf(session) };
    })
    .onRequest(methods.agent.session.resume, async ({ params }) => {
      const { session } = await toRequestErrors(registry.reopen(params));
      return { modes: modesOf(session) };
    })
    .onRequest(methods.agent.session.list, ({ params }) => toRequestErrors(registry.list(params)))
    .onRequest(methods.agent.session.close, async ({ params }) => {
      await registry.close(params.sessionId);
      return {};
    })
    .onRequest(methods.agent.session.delete, async ({ params }) => {
      await registry.remove(params.sessionId);
      return {};
    })
    .onRequest(methods.agent.session.setMode, ({ params }) => {
      const { modeId } = params;
      if (!isPermissionMode(modeId)) throw RequestError.invalidParams({ modeId }, "Unknown mode");
      registry.find(params.sessionId).mode = modeId;
      return {};
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client, signal }) => {
      const work = registry.find(params.sessionId).prompt(params.prompt, { client, signal });
      return { stopReason: await toRequestErrors(work) };
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => registry.cancel(params.sessionId));
  const connection = app.connect(ndJsonStream(wire.writable, wire.readable));
  stop.addEventListener("abort", () => connection.close(), { once: true });
  await connection.closed;
  // When the client disconnects, its runs are interrupted.
  await registry.closeAll();
}

/** Returns what the server tells the editor about itself. */
function initializeResponse(version: string): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "switchyard", title: "Switchyard", version },
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
    },
    authMethods: [],
  };
}

function modesOf({ mode }: AcpSession): SessionModeState {
  return { currentModeId: mode, availableModes: Object.entries(MODES).map(([id, about]) => ({ id, ...about })) };
}

async function toRequestErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw toRequestError(toEngineError(error));
  }
}
