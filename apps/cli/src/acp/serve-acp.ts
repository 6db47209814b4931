import {
  agent,
  type FileSystemCapabilities,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type SessionModeState,
} from "@agentclientprotocol/sdk";
import { toEngineError } from "@switchyard/contracts";
import { isPermissionMode, PERMISSION_MODES, type PermissionMode } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { createStopSignal } from "../task/stop-signal.ts";
import type { TaskOptions } from "../task/task-options.ts";
import type { AcpSession } from "./acp-session.ts";
import { toRequestError } from "./request-error.ts";
import { createSessionDesk } from "./session-desk.ts";

const MODES: Readonly<Record<PermissionMode, { name: string; description: string }>> = {
  plan: { name: "Plan", description: "Looks and answers with a plan; changes nothing." },
  ask: { name: "Ask", description: "Asks before it changes anything." },
  auto: { name: "Auto", description: "Does what it thinks right, without asking." },
};

/** Serves an editor until it goes away. Resolves with the exit code. */
export async function serveAcp(context: CommandContext, options: TaskOptions): Promise<number> {
  const stop = createStopSignal(context);
  let capabilities: FileSystemCapabilities | null | undefined;
  const desk = createSessionDesk(context, {
    options,
    mode: firstMode(options),
    capabilities: () => capabilities,
    stop,
  });
  const app = agent({ name: "switchyard" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities?.fs;
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "switchyard", title: "Switchyard", version: context.version },
        agentCapabilities: {
          loadSession: true,
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
          promptCapabilities: { image: false, audio: false, embeddedContext: true },
          mcpCapabilities: { http: true, sse: false },
        },
        authMethods: [],
      };
    })
    .onRequest(methods.agent.session.new, async ({ params }) => {
      const session = await desk.open(params);
      return { sessionId: session.id, modes: modesOf(session) };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const { session, updates } = await toRequestErrors(desk.reopen(params));
      for await (const update of updates) {
        await client.notify(methods.client.session.update, { sessionId: session.id, update });
      }
      return { modes: modesOf(session) };
    })
    .onRequest(methods.agent.session.resume, async ({ params }) => {
      const { session } = await toRequestErrors(desk.reopen(params));
      return { modes: modesOf(session) };
    })
    .onRequest(methods.agent.session.list, ({ params }) => toRequestErrors(desk.list(params)))
    .onRequest(methods.agent.session.close, async ({ params }) => {
      await desk.close(params.sessionId);
      return {};
    })
    .onRequest(methods.agent.session.delete, async ({ params }) => {
      await desk.remove(params.sessionId);
      return {};
    })
    .onRequest(methods.agent.session.setMode, ({ params }) => {
      const { modeId } = params;
      if (!isPermissionMode(modeId)) throw RequestError.invalidParams({ modeId }, "There is no such mode");
      desk.find(params.sessionId).mode = modeId;
      return {};
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client, signal }) => {
      const work = desk.find(params.sessionId).prompt(params.prompt, { client, signal });
      return { stopReason: await toRequestErrors(work) };
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => desk.cancel(params.sessionId));
  const { writable, readable } = context.openWire();
  const connection = app.connect(ndJsonStream(writable, readable));
  stop.addEventListener("abort", () => connection.close(), { once: true });
  await connection.closed;
  // An editor that goes away leaves no run behind.
  await desk.closeAll();
  return stop.aborted ? 130 : 0;
}

/** What was typed, or to ask: an editor has somebody who can answer. */
function firstMode({ mode, approve }: TaskOptions): PermissionMode {
  if (mode !== undefined) return mode;
  const typed = Object.entries(PERMISSION_MODES).find(([, means]) => means === approve)?.[0];
  return isPermissionMode(typed) ? typed : "ask";
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
