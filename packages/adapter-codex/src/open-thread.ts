import { type JsonObject, objectAt, type PersistentContext, textAt } from "@switchyard/adapter-kit";
import { type AgentMcpServer, EngineError } from "@switchyard/contracts";
import type { CodexConfig } from "./codex-config.ts";
import type { CodexState } from "./codex-state.ts";
import { within } from "./latch.ts";

/** Variable with the key by which the command signs in. */
export const API_KEY = "CODEX_API_KEY";
const CLIENT = { name: "switchyard", title: "Switchyard", version: "0.0.0" } as const;
/** What the command answers if it has stored nothing of a thread. */
const THREAD_NOT_FOUND =
  /\bno (?:archived )?rollout found\b|\b(?:thread|rollout) not found\b|\brollout\b.* is empty\b/iu;
/** Milliseconds that a new thread may take to tell of itself: its id is known already. */
const THREAD_STARTED_MS = 2_000;

/**
 * Opens the conversation: says who we are, signs in where that is needed, and resumes the thread or starts one; gives
 * its id. Rejects with `adapter.session_not_found` where there is no such thread. agent-adapter: Codex.
 */
export async function openThread(config: CodexConfig, context: PersistentContext<CodexState>): Promise<string> {
  const { peer, state, sessionId, requestTimeoutMs } = context;
  state.beginProcess();
  await peer.request("initialize", { clientInfo: CLIENT, capabilities: { experimentalApi: true } }, requestTimeoutMs);
  peer.notify("initialized", {});
  await signIn(context);
  const resumed = sessionId === "" ? undefined : await resumeThread(config, context);
  const opened = resumed ?? (await peer.request("thread/start", threadOf(config, state), requestTimeoutMs));
  const id = textAt(objectAt(opened, "thread"), "id");
  if (id === "") throw new EngineError("adapter.response_error", { problem: "the thread has no id" });
  state.beginThread(id, { isNew: resumed === undefined, model: textAt(opened, "model") });
  if (resumed === undefined) await within(state.threadStarted, THREAD_STARTED_MS, peer.closed);
  return id;
}

/** An account that is there is used; without one, and where the model wants one, the key signs in. */
async function signIn({ peer, state, target, requestTimeoutMs }: PersistentContext<CodexState>): Promise<void> {
  const account = await answerOf(peer.request("account/read", { refreshToken: false }, requestTimeoutMs));
  // Releases that do not know the question, and providers of one's own, sign in in their own way.
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
    throw new EngineError("adapter.credential_unverified", { problem: `the key of ${API_KEY} was not taken` });
  }
}

/** The answer; nothing where the other side answered that it cannot. */
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
  const asked = { threadId: sessionId, excludeTurns: true, ...threadOf(config, state) };
  try {
    return await peer.request("thread/resume", asked, requestTimeoutMs);
  } catch (error) {
    const problem = EngineError.is(error, "adapter.response_error") ? String(error.details["problem"]) : "";
    if (!THREAD_NOT_FOUND.test(problem)) throw error;
    throw new EngineError("adapter.session_not_found", { problem }, { cause: error });
  }
}

/**
 * How a thread is set up. Without a word about trust, a thread that may write makes its workspace a trusted project of
 * the user's for ever, whose settings then can run commands: so it is said for this thread alone. decision 20
 */
function threadOf(config: CodexConfig, { workspacePath, mcpServers }: CodexState): JsonObject {
  const { sandbox, approvalPolicy, model, trustProject } = config;
  const projects = { [workspacePath]: { trust_level: trustProject ? "trusted" : "untrusted" } };
  const servers = Object.entries(mcpServers).map(([name, server]) => [name, serverOf(server)] as const);
  return {
    ...{ cwd: workspacePath, approvalPolicy, sandbox },
    ...(model === undefined ? {} : { model }),
    // By standard input and not as arguments: what servers are started with may be secret.
    config: { projects, ...(servers.length === 0 ? {} : { mcp_servers: Object.fromEntries(servers) }) },
  };
}

function serverOf(server: AgentMcpServer): JsonObject {
  if ("url" in server) return { url: server.url, ...(server.headers ? { http_headers: server.headers } : {}) };
  const { command, args = [], env = {} } = server;
  return { command, args, env };
}
