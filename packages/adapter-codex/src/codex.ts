import {
  type AdapterKind,
  type Authentication,
  type CheckupFacts,
  defineAdapter,
  type JsonObject,
  objectAt,
  type PersistentContext,
  type PersistentHooks,
  persistentAdapter,
  type TurnScope,
  textAt,
} from "@switchyard/adapter-kit";
import { answerRequest } from "./answer-request.ts";
import { type CodexConfig, readCodexConfig } from "./codex-config.ts";
import { CodexState } from "./codex-state.ts";
import { handleNotification } from "./handle-notification.ts";
import { API_KEY, openThread } from "./open-thread.ts";
import { providerArguments, redirect } from "./redirect.ts";

/** File that stores the credentials of `codex`. */
const SIGN_IN_FILE = ".codex/auth.json";

/** Returns the authentication state. With a custom configuration folder or provider, the state cannot be determined. */
async function checkAuthentication(facts: CheckupFacts): Promise<Authentication> {
  if (facts.has(API_KEY)) return { state: "yes", by: API_KEY };
  return (await facts.homeHas(SIGN_IN_FILE)) ? { state: "yes", by: `~/${SIGN_IN_FILE}` } : { state: "unknown" };
}

/**
 * Drives the `codex app-server` command: one process for all turns of a session, which speaks JSON-RPC. The command
 * reports usage during a turn. It runs shell commands in its own sandbox. By default, the sandbox allows writes only to
 * the workspace, and no network access. The user decides about approval requests; without a user, they are declined.
 * See agent-adapter: Codex.
 */
export const codex: AdapterKind = defineAdapter({
  kind: "codex",
  defaultCommand: "codex app-server",
  capabilities: {
    usage: "incremental",
    resume: "id",
    permissions:
      "Codex's own sandbox, by default limited to the workspace and without network access; the user decides about approvals",
    mcp: true,
  },
  credentials: [API_KEY, "CODEX_HOME"],
  checkup: {
    install: "npm install --global @openai/codex",
    login: "run `codex login`, or set CODEX_API_KEY",
    checkAuthentication,
  },
  modes: {
    plan: { sandbox: "read-only", approval_policy: "never" },
    // Writes need an approval, about which the user decides.
    ask: { sandbox: "read-only", approval_policy: "on-request" },
    auto: { sandbox: "danger-full-access", approval_policy: "never" },
    replaces: ["sandbox", "approval_policy", "network_access", "writable_roots"],
    trusted: { trust_project: true },
  },
  readConfig: readCodexConfig,
  configuredVariables: ({ apiKeyEnv }) => (apiKeyEnv === undefined ? [] : [apiKeyEnv]),
  redirect,
  stateFolders: { CODEX_HOME: "codex" },
  create: (settings, config) => persistentAdapter(settings, hooksOf(config)),
});

function hooksOf(config: CodexConfig): PersistentHooks<CodexState> {
  return {
    marked: false,
    args: (target) => providerArguments(target, config),
    start: ({ workspacePath }, { mcpServers }) => new CodexState(workspacePath, mcpServers),
    handshake: (context) => openThread(config, context),
    runTurn: (prompt, turn, context) => runTurn({ config, prompt, turn }, context),
    onNotification: handleNotification,
    onRequest: answerRequest,
    onResult: ({ method, result }, state) => {
      if (method === "turn/start") state.nameTurn(textAt(objectAt(result, "turn"), "id"));
    },
    interrupt: ({ peer, state, requestTimeoutMs }) => {
      const { threadId, turnId } = state;
      // The response to the interrupt request is ignored, because the process is ended afterwards.
      if (turnId !== "") peer.request("turn/interrupt", { threadId, turnId }, requestTimeoutMs).catch(() => {});
    },
  };
}

interface TurnJob {
  readonly config: CodexConfig;
  readonly prompt: string;
  readonly turn: TurnScope;
}

/**
 * Runs a turn. The response to the request only confirms the start of the turn; the turn ends with its last
 * notification.
 */
async function runTurn(
  { config, prompt, turn }: TurnJob,
  { peer, state, requestTimeoutMs }: PersistentContext<CodexState>,
): Promise<void> {
  if (state.model !== "") turn.model(state.model);
  state.beginTurn();
  const over = state.turnOver.opened;
  const response = peer.request("turn/start", turnOf(config, prompt, state), requestTimeoutMs);
  // A turn may end without a response to its request.
  await Promise.race([over, response.then(() => Promise.race([over, peer.closed]))]);
}

/**
 * Returns the parameters of a turn. The sandbox is set only with the first turn of a process, and also applies to all
 * later turns.
 */
function turnOf(config: CodexConfig, prompt: string, { threadId, workspacePath, turns }: CodexState): JsonObject {
  const { model, effort } = config;
  return {
    ...{ threadId, cwd: workspacePath, input: [{ type: "text", text: prompt }] },
    ...(turns === 1 ? { sandboxPolicy: sandboxOf(config, workspacePath) } : {}),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
  };
}

function sandboxOf({ sandbox, networkAccess, writableRoots }: CodexConfig, workspacePath: string): JsonObject {
  switch (sandbox) {
    case "read-only":
      return { type: "readOnly", networkAccess };
    case "danger-full-access":
      return { type: "dangerFullAccess" };
    case "workspace-write":
      return {
        ...{ type: "workspaceWrite", writableRoots: [workspacePath, ...writableRoots], networkAccess },
        ...{ excludeTmpdirEnvVar: false, excludeSlashTmp: false },
      };
  }
}
