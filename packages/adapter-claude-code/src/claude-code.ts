import {
  type AdapterKind,
  type Authentication,
  type CheckupFacts,
  defineAdapter,
  forkPerTurnAdapter,
} from "@switchyard/adapter-kit";
import { buildTurn } from "./build-turn.ts";
import { readClaudeCodeConfig } from "./claude-code-config.ts";
import { parseLine } from "./parse-line.ts";
import { redirect } from "./redirect.ts";

/** Environment variables that authenticate `claude` or configure its model. */
const CREDENTIALS = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CONFIG_DIR",
] as const;

/** Environment variables, each of which is sufficient to authenticate. */
const KEYS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"] as const;
/** File that stores the credentials of `claude` on Linux. */
const SIGN_IN_FILE = ".claude/.credentials.json";

/** Returns the authentication state. On macOS or with a custom configuration folder, the state cannot be determined. */
async function checkAuthentication(facts: CheckupFacts): Promise<Authentication> {
  const key = KEYS.find((name) => facts.has(name));
  if (key !== undefined) return { state: "yes", by: key };
  const isThere = await facts.homeHas(SIGN_IN_FILE);
  return isThere ? { state: "yes", by: `~/${SIGN_IN_FILE}` } : { state: "unknown" };
}

/**
 * Drives the `claude` command with one process per turn, which resumes the session by its id. The command reports usage
 * per request, and the total usage in its last line of output. `permission_mode`, `allowed_tools` and
 * `disallowed_tools` control which tools are allowed. By default everything that needs a permission is denied;
 * `trust_all_tools` allows everything. See agent-adapter: Claude Code.
 */
export const claudeCode: AdapterKind = defineAdapter({
  kind: "claude-code",
  defaultCommand: "claude",
  capabilities: {
    usage: "incremental",
    resume: "id",
    permissions:
      "a permission mode and lists of tools; calls that need a permission are denied unless the mode or a list allows them",
    mcp: true,
  },
  credentials: CREDENTIALS,
  checkup: {
    install: "npm install --global @anthropic-ai/claude-code",
    login: "run `claude` and type /login, or set ANTHROPIC_API_KEY",
    checkAuthentication,
  },
  modes: {
    // No user answers the permission prompts of `claude`, so prompts are denied.
    ...{ plan: { permission_mode: "plan" }, ask: { permission_mode: "dontAsk" } },
    auto: { permission_mode: "bypassPermissions" },
    replaces: ["permission_mode", "trust_all_tools", "allowed_tools"],
    // Hooks of the workspace would run commands that the agent did not choose. Containers often run as root.
    trusted: { trust_project: true, disable_hooks: true, allow_root: true },
  },
  readConfig: readClaudeCodeConfig,
  configuredVariables: ({ apiKeyEnv }) => (apiKeyEnv === undefined ? [] : [apiKeyEnv]),
  redirect,
  stateFolders: { CLAUDE_CONFIG_DIR: "claude" },
  create: (settings, config) =>
    forkPerTurnAdapter(settings, {
      start: ({ modelEndpoint }) => modelEndpoint,
      mintSessionId: () => settings.createId(),
      buildTurn: (request) => buildTurn(config, request, settings.variables),
      sessionNotFound: /^(?:Error: )?No conversation found with session ID(?: or name)?: /u,
      parseLine,
    }),
});
