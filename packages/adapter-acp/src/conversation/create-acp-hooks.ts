import type { PersistentHooks } from "@switchyard/adapter-kit";
import { EngineError, type StartAgentSessionOptions } from "@switchyard/contracts";
import { answerRequest } from "../client/answer-request.ts";
import type { AcpConfig } from "../preset/acp-config.ts";
import type { AcpPreset } from "../preset/acp-preset.ts";
import { type AcpState, createAcpState } from "./acp-state.ts";
import { handleUpdate } from "./handle-update.ts";
import { openSession } from "./open-session.ts";
import { requestTurn } from "./request-turn.ts";

/**
 * Returns the adapter hooks for an agent that speaks the Agent Client Protocol. See agent-adapter: Agent Client
 * Protocol.
 */
export function createAcpHooks(preset: AcpPreset, settings: AcpConfig): PersistentHooks<AcpState> {
  const { modelFlag, trustFlag } = preset;
  const config = { ...settings, isModelFlagged: modelFlag !== undefined };
  return {
    args: [
      ...(modelFlag === undefined || config.model === undefined ? [] : [modelFlag, config.model]),
      ...(trustFlag === undefined || !config.trustProject ? [] : [trustFlag]),
    ],
    env: preset.env,
    async start(target, options) {
      assertServersStart(preset, config, options);
      if (target.modelEndpoint !== undefined) await preset.assertRedirected?.(target);
      return createAcpState(config, target);
    },
    handshake: openSession,
    runTurn: requestTurn,
    onNotification({ method, params }, turn, state) {
      if (method === "session/update") handleUpdate(params, turn, state);
      else turn.other(method);
    },
    onRequest: answerRequest,
    interrupt({ peer, state }) {
      if (state.sessionId !== "") peer.notify("session/cancel", { sessionId: state.sessionId });
    },
  };
}

/** Throws if the agent would ignore the configured MCP servers without reporting it. */
function assertServersStart(preset: AcpPreset, config: AcpConfig, options: StartAgentSessionOptions): void {
  const hasServers = Object.keys(options.mcpServers ?? {}).length > 0;
  if (preset.dropsUntrustedServers !== true || config.trustProject || !hasServers) return;
  const problem = "the agent starts no MCP servers in a workspace that it does not trust; set trust_project";
  throw new EngineError("config.invalid", { field: "mcpServers", problem });
}
