import {
  type AdapterKind,
  type CheckupFacts,
  defineAdapter,
  forkPerTurnAdapter,
  type SignIn,
} from "@switchyard/adapter-kit";
import { buildTurn } from "./build-turn.ts";
import { readClaudeCodeConfig } from "./claude-code-config.ts";
import { parseLine } from "./parse-line.ts";

/** Variables with which the command signs in, or finds its model. */
const CREDENTIALS = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CONFIG_DIR",
] as const;

/** Variables of which one is enough. */
const KEYS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"] as const;
/** Where the command keeps what it was given at its own sign-in, on Linux. */
const SIGN_IN_FILE = ".claude/.credentials.json";

/** Elsewhere, on macOS or in a folder of its own, the sign-in does not show. */
async function isSignedIn(facts: CheckupFacts): Promise<SignIn> {
  const key = KEYS.find((name) => facts.has(name));
  if (key !== undefined) return { state: "yes", by: key };
  const isThere = await facts.homeHas(SIGN_IN_FILE);
  return isThere ? { state: "yes", by: `~/${SIGN_IN_FILE}` } : { state: "unknown" };
}

/**
 * Drives the command `claude`: a process for every turn, continued by the id of its session. It reports the tokens of
 * every request while it works, and the total with its last line. Tools are permitted by `permission_mode`,
 * `allowed_tools` and `disallowed_tools`; without these whatever would need a permission is denied, and
 * `trust_all_tools` permits everything. agent-adapter: Claude Code.
 */
export const claudeCode: AdapterKind = defineAdapter({
  kind: "claude-code",
  defaultCommand: "claude",
  capabilities: {
    usage: "incremental",
    resume: "id",
    permissions: "a mode and lists of tools; what would need a permission is denied unless they allow it",
    mcp: true,
  },
  credentials: CREDENTIALS,
  checkup: {
    install: "npm install --global @anthropic-ai/claude-code",
    signIn: "run `claude` and type /login, or set ANTHROPIC_API_KEY",
    isSignedIn,
  },
  modes: {
    // Nobody answers the command's own questions: what would need a permission is denied.
    ...{ plan: { permission_mode: "plan" }, ask: { permission_mode: "dontAsk" } },
    auto: { permission_mode: "bypassPermissions" },
    replaces: ["permission_mode", "trust_all_tools", "allowed_tools"],
  },
  readConfig: readClaudeCodeConfig,
  create: (settings, config) =>
    forkPerTurnAdapter(settings, {
      start: () => undefined,
      mintSessionId: () => settings.createId(),
      buildTurn: (request) => buildTurn(config, request),
      sessionNotFound: /^(?:Error: )?No conversation found with session ID(?: or name)?: /u,
      parseLine,
    }),
});
