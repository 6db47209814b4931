import { type JsonObject, objectAt, type PersistentContext, textAt } from "@switchyard/adapter-kit";
import { type AgentMcpServer, EngineError } from "@switchyard/contracts";
import type { CodexConfig } from "./codex-config.ts";
import type { CodexState } from "./codex-state.ts";
import { within } from "./latch.ts";

/** Environment variable with the API key for `codex`. */
export const API_KEY = "CODEX_API_KEY";
const CLIENT = { name: "switchyard", title: "Switchyard", version: "0.0.0" } as const;
/** Matches the error message of `codex` for a thread that it has not stored. */
const THREAD_NOT_FOUND =
  /\bno (?:archived )?rollout found\b|\b(?:thread|rollout) not found\b|\brollout\b.* is empty\b/iu;
/**
 * Maximum wait for the notification that a new thread started, in milliseconds. The thread id is already known from the
 * response.
 */
const THREAD_STARTED_MS = 2_000;

/**
 * Opens the conversation: initialises the connection, authenticates if needed, and resumes or starts a thread. Resolves
 * with the thread id. Rejects with `adapter.session_not_found` if the thread does not exist. See agent-adapter: Codex.
 */
export async function openThread(config: CodexConfig, context: PersistentContext<CodexState>): Promise<string> {
  const { peer, state, sessionId, requestTimeoutMs } = context;
  state.beginProcess();
  await peer.request("initialize", { clientInfo: CLIENT, capabilities: { experimentalApi: true } }, requestTimeoutMs);
  peer.notify("initialized", {});
  await authenticate(context);
  const resumed = sessionId === "" ? undefined : await resumeThread(config, context);
  const opened = resumed ?? (await peer.request("thread/start", threadOf(config, state), requestTimeoutMs));
  const id = textAt(objectAt(opened, "thread"), "id");
  if (id === "") throw new EngineError("adapter.response_error", { problem: "the thread has no id" });
  state.beginThread(id, { isNew: resumed === undefined, model: textAt(opened, "model") });
  if (resumed === undefined) await within(state.threadStarted, THREAD_STARTED_MS, peer.closed);
  return id;
}

/** Authenticates with the API key if there is no account and the model needs one. */
async function authenticate({ peer, state, target, requestTimeoutMs }: PersistentContext<CodexState>): Promise<void> {
  const account = await answerOf(peer.request("account/read", { refreshToken: false }, requestTimeoutMs));
  // No login is needed if a custom provider authenticates differently, or if this release cannot report the account.
  const isSettled = account === undefined || account["account"] !== null || account["requiresOpenaiAuth"] === false;
  if (isSettled) return;
  const key = target.variables[API_KEY];
  if (key === undefined) {
    throw new EngineError("adapter.credential_unverified", { problem: `it is signed out and ${API_KEY} is not set` });
  }
  await peer.request("account/login/start", { type: "apiKey", apiKey: key.reveal() }, requestTimeoutMs);
  const isSignedIn = await within(state.signedIn, requestTimeoutMs, peer.closed);
  if (isSignedIn === undefined) throw new EngineError("adapter.response_timeout", { timeoutMs: requestTimeoutMs });
  if (!isSignedIn) {
    throw new EngineError("adapter.credential_unverified", { problem: `the key in ${API_KEY} was rejected` });
  }
}

/** Resolves with the response to a request. `undefined` if the response is an error. */
async function answerOf(answer: Promise<JsonObject>): Promise<JsonObject | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!EngineError.is(error, "adapter.response_error")) throw error;
    return undefined;
  }
}

async function resumeThread(
  config: CodexConfig,
  { peer, state, sessionId, requestTimeoutMs }: PersistentContext<CodexState>,
): Promise<JsonObject> {
  const params = { threadId: sessionId, excludeTurns: true, ...threadOf(config, state) };
  try {
    return await peer.request("thread/resume", params, requestTimeoutMs);
  } catch (error) {
    const problem = EngineError.is(error, "adapter.response_error") ? String(error.details["problem"]) : "";
    if (!THREAD_NOT_FOUND.test(problem)) throw error;
    throw new EngineError("adapter.session_not_found", { problem }, { cause: error });
  }
}

/**
 * Returns the parameters of a thread. Sets the trust level of the workspace explicitly, for this thread only. Otherwise
 * a writable thread would permanently mark the workspace as trusted, and settings in the workspace could then run
 * commands. See architecture: decision 20.
 */
function threadOf(config: CodexConfig, { workspacePath, mcpServers }: CodexState): JsonObject {
  const { sandbox, approvalPolicy, model, trustProject } = config;
  const projects = { [workspacePath]: { trust_level: trustProject ? "trusted" : "untrusted" } };
  const servers = Object.entries(mcpServers).map(([name, server]) => [name, serverOf(server)] as const);
  return {
    ...{ cwd: workspacePath, approvalPolicy, sandbox },
    ...(model === undefined ? {} : { model }),
    // MCP servers are passed on standard input instead of as arguments, because server settings may be secret.
    config: { projects, ...(servers.length === 0 ? {} : { mcp_servers: Object.fromEntries(servers) }) },
  };
}

function serverOf(server: AgentMcpServer): JsonObject {
  if ("url" in server) return { url: server.url, ...(server.headers ? { http_headers: server.headers } : {}) };
  const { command, args = [], env = {} } = server;
  return { command, args, env };
}
