import { isAbsolute } from "node:path";
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { toEngineError } from "@switchyard/contracts";
import { isPermissionMode, PERMISSION_MODES, type PermissionMode } from "../approval/permission-mode.ts";
import { createStopSignal } from "../task/stop-signal.ts";
import type { TaskOptions } from "../task/task-options.ts";
import type { World } from "../world/world.ts";
import { toMcpServers } from "./acp-mcp-servers.ts";
import { AcpSession } from "./acp-session.ts";

const MODES: Readonly<Record<PermissionMode, { name: string; description: string }>> = {
  plan: { name: "Plan", description: "Looks and answers with a plan; changes nothing." },
  ask: { name: "Ask", description: "Asks before it changes anything." },
  auto: { name: "Auto", description: "Does what it thinks right, without asking." },
};

/** Serves an editor until it goes away. Resolves with the exit code. */
export async function serveAcp(world: World, options: TaskOptions): Promise<number> {
  const sessions = new Map<string, AcpSession>();
  const stop = createStopSignal(world);
  const sessionOf = (id: string): AcpSession => {
    const session = sessions.get(id);
    if (session === undefined) throw RequestError.invalidParams({ sessionId: id }, "There is no such session");
    return session;
  };
  const app = agent({ name: "switchyard" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "switchyard", title: "Switchyard", version: world.version },
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: false, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
      },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, async ({ params }) => {
      if (!isAbsolute(params.cwd)) throw RequestError.invalidParams({ cwd: params.cwd }, "cwd is no absolute path");
      const mode = firstMode(options);
      const mcpServers = toMcpServers(params.mcpServers);
      const session = new AcpSession(world, { options, mode, mcpServers, workspace: params.cwd, stop });
      sessions.set(session.id, session);
      const availableModes = Object.entries(MODES).map(([id, about]) => ({ id, ...about }));
      return { sessionId: session.id, modes: { currentModeId: mode, availableModes } };
    })
    .onRequest(methods.agent.session.setMode, ({ params }) => {
      const { modeId } = params;
      if (!isPermissionMode(modeId)) throw RequestError.invalidParams({ modeId }, "There is no such mode");
      sessionOf(params.sessionId).mode = modeId;
      return {};
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client, signal }) => {
      try {
        return { stopReason: await sessionOf(params.sessionId).prompt(params.prompt, { client, signal }) };
      } catch (error) {
        throw toRequestError(error);
      }
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel());
  const { writable, readable } = world.openWire();
  const connection = app.connect(ndJsonStream(writable, readable));
  stop.addEventListener("abort", () => connection.close(), { once: true });
  await connection.closed;
  // An editor that goes away leaves no run behind.
  await Promise.all([...sessions.values()].map((session) => session.close()));
  return stop.aborted ? 130 : 0;
}

/** What was typed, or to ask: an editor has somebody who can answer. */
function firstMode({ mode, approve }: TaskOptions): PermissionMode {
  if (mode !== undefined) return mode;
  const typed = Object.entries(PERMISSION_MODES).find(([, means]) => means === approve)?.[0];
  return isPermissionMode(typed) ? typed : "ask";
}

/** What was wrong in a form that editors show: the sentence, and what to do next. */
function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const { code, message, remedy } = toEngineError(error);
  return RequestError.internalError({ code, remedy }, `${message} ${remedy}`);
}
