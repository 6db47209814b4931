import {
  type AgentMcpServers,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  type PersistentContext,
  textAt,
} from "@switchyard/adapter-kit";
import { EngineError } from "@switchyard/contracts";
import type { AcpState } from "./acp-state.ts";
import { isSessionUnlisted } from "./list-sessions.ts";
import { codeOf, isSessionUnknown, problemOf } from "./rpc-error.ts";

/** Supported protocol version. */
const PROTOCOL_VERSION = 1;
/** Error code: authentication is required. */
const AUTH_REQUIRED = -32_000;
/**
 * Time without a further update of the replayed conversation after which the history counts as complete, in
 * milliseconds. The agent's response is no sign of completion: some agents respond before they have replayed the whole history.
 */
const QUIET_MS = 250;
/**
 * Maximum number of times that a session start waits for `QUIET_MS`. Then the session starts, even if the replay is not
 * complete.
 */
const MAX_PAUSES = 40;

type Context = PersistentContext<AcpState>;

/**
 * Negotiates the protocol version, authenticates if configured, and resumes or creates a session. Resolves with the
 * session id. See agent-adapter: Agent Client Protocol.
 */
export async function openSession(context: Context): Promise<string> {
  const { peer, state, sessionId, requestTimeoutMs } = context;
  const agent = await peer.request(
    "initialize",
    {
      protocolVersion: PROTOCOL_VERSION,
      // Terminals are not offered, so the agent runs commands itself.
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
      clientInfo: { name: "switchyard", title: "Switchyard", version: "1" },
    },
    requestTimeoutMs,
  );
  const version = numberAt(agent, "protocolVersion");
  if (version !== PROTOCOL_VERSION) {
    const problem = `it supports version ${version ?? "(none)"} of the protocol, but version ${PROTOCOL_VERSION} is needed`;
    throw new EngineError("adapter.response_error", { problem });
  }
  const { authMethod } = state.config;
  try {
    if (authMethod !== undefined) await peer.request("authenticate", { methodId: authMethod }, requestTimeoutMs);
    const opened = await loadOrCreate(context, agent);
    state.sessionId = textAt(opened, "sessionId") || sessionId;
    await chooseMode(context, opened);
    await chooseModel(context, opened);
    return state.sessionId;
  } catch (error) {
    throw explained(error, agent);
  }
}

/**
 * Loads or creates a session. A session that cannot be loaded is an error. The engine replaces it if the agent
 * certainly does not have it: `adapter.session_not_found`.
 */
async function loadOrCreate(context: Context, agent: JsonObject): Promise<JsonObject> {
  const { peer, state, target, options, sessionId, requestTimeoutMs } = context;
  const capabilities = objectAt(agent, "agentCapabilities");
  const mcpServers = toServerList(options.mcpServers ?? {}, objectAt(capabilities, "mcpCapabilities"));
  const location = { cwd: target.workspacePath, mcpServers };
  if (sessionId === "") return peer.request("session/new", location, requestTimeoutMs);
  if (capabilities["loadSession"] !== true) {
    throw new EngineError("adapter.session_not_found", { problem: "the agent cannot load sessions" });
  }
  state.isReplaying = true;
  state.replayed = 0;
  try {
    const loaded = await peer.request("session/load", { sessionId, ...location }, requestTimeoutMs);
    await untilQuiet(state);
    if (state.replayed === 0) {
      const problem = `it loaded the session ${sessionId} without its history`;
      throw new EngineError("adapter.response_error", { problem });
    }
    return loaded;
  } catch (error) {
    if (!EngineError.is(error, "adapter.response_error")) throw error;
    if (!isSessionUnknown(error) && !(await isSessionUnlisted(context, agent))) throw error;
    throw new EngineError("adapter.session_not_found", { problem: problemOf(error) }, { cause: error });
  } finally {
    state.isReplaying = false;
  }
}

/** Waits until the replayed history is complete. */
async function untilQuiet(state: AcpState): Promise<void> {
  for (let pauses = 0, seen = -1; pauses < MAX_PAUSES && seen !== state.replayed; pauses += 1) {
    seen = state.replayed;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
}

/**
 * Returns the MCP servers in the format of the protocol. Throws `config.invalid` for servers that the agent cannot
 * reach.
 */
function toServerList(servers: AgentMcpServers, capabilities: JsonObject): readonly JsonObject[] {
  const pairs = (values: Readonly<Record<string, string>> = {}): readonly JsonObject[] =>
    Object.entries(values).map(([name, value]) => ({ name, value }));
  return Object.entries(servers).map(([name, server]) => {
    if (!("url" in server)) {
      return { name, command: server.command, args: server.args ?? [], env: pairs(server.env) };
    }
    if (capabilities["http"] !== true) {
      const problem = "the agent does not support MCP servers over HTTP";
      throw new EngineError("config.invalid", { field: `mcpServers.${name}`, problem });
    }
    return { type: "http", name, url: server.url, headers: pairs(server.headers) };
  });
}

/**
 * Sets the session mode. Rejects an unknown mode with the list of known modes. Some agents provide modes as a session
 * option instead.
 */
async function chooseMode({ peer, state, requestTimeoutMs }: Context, opened: JsonObject): Promise<void> {
  const { mode } = state.config;
  const modes = objectAt(opened, "modes");
  const option = optionNamed(opened, "mode");
  const current = textAt(modes, "currentModeId") || textAt(option, "currentValue");
  if (mode === undefined || current === mode) return;
  const byMode = listAt(modes, "availableModes").map((one) => textAt(one, "id"));
  const byOption = listAt(option, "options").map((one) => textAt(one, "value"));
  const { sessionId } = state;
  if (byMode.includes(mode)) {
    await peer.request("session/set_mode", { sessionId, modeId: mode }, requestTimeoutMs);
  } else if (byOption.includes(mode)) {
    const choice = { sessionId, configId: textAt(option, "id"), value: mode };
    await peer.request("session/set_config_option", choice, requestTimeoutMs);
  } else {
    const known = [...new Set([...byMode, ...byOption])].join(", ") || "none";
    throw new EngineError("config.invalid", { field: "mode", problem: `the agent has no such mode; it has ${known}` });
  }
}

/** Returns the session option with an id or category. */
function optionNamed(opened: JsonObject, name: string): unknown {
  return listAt(opened, "configOptions").find((one) => textAt(one, "category") === name || textAt(one, "id") === name);
}

/**
 * Sets the model through the protocol if the agent supports it. Other agents receive the model in a command-line flag.
 */
async function chooseModel({ peer, state, requestTimeoutMs }: Context, opened: JsonObject): Promise<void> {
  const option = optionNamed(opened, "model");
  const current = textAt(option, "currentValue") || textAt(objectAt(opened, "models"), "currentModelId");
  state.model = current;
  const { model, isModelFlagged } = state.config;
  if (model === undefined || isModelFlagged || current === model) return;
  if (option === undefined) {
    throw new EngineError("config.invalid", { field: "model", problem: "the agent offers no choice of models" });
  }
  const choice = { sessionId: state.sessionId, configId: textAt(option, "id"), value: model };
  await peer.request("session/set_config_option", choice, requestTimeoutMs);
  state.model = model;
}

/** Adds instructions for authentication to an error about missing authentication. */
function explained(error: unknown, agent: JsonObject): unknown {
  if (!EngineError.is(error, "adapter.response_error")) return error;
  if (codeOf(error) !== AUTH_REQUIRED) {
    return new EngineError("adapter.response_error", { problem: problemOf(error) }, { cause: error.cause });
  }
  const methods = listAt(agent, "authMethods").map((method) => textAt(method, "id"));
  const problem = `${problemOf(error)}; it supports the login methods ${methods.join(", ") || "(none)"}; see auth_method`;
  return new EngineError("adapter.credential_unverified", { problem }, { cause: error });
}
