import type { AdapterModes } from "@switchyard/adapter-kit";

/** What is known of one agent that speaks the protocol. */
export interface AcpPreset {
  /** Exact name of its kind. */
  readonly kind: string;
  /** Its usual command; empty where there is none. */
  readonly defaultCommand: string;
  /** Variables with which it signs in, or finds its model. */
  readonly credentials: readonly string[];
  /** Those of the variables of which one is enough to sign in. */
  readonly keys: readonly string[];
  /** How it is installed. */
  readonly install?: string | undefined;
  /** How somebody signs in. */
  readonly signIn?: string | undefined;
  /** File below the home in which it keeps what it was given at its own sign-in. */
  readonly signInFile?: string | undefined;
  /** Whether it tells the tokens of a turn. */
  readonly usage: "turn_end" | "none";
  /** Flag that chooses its model; by the protocol where there is none. */
  readonly modelFlag?: string | undefined;
  /** Flag with which it trusts the workspace, where it asks for that. */
  readonly trustFlag?: string | undefined;
  /** Whether it keeps quiet about MCP servers that it does not start in a workspace it does not trust. */
  readonly dropsUntrustedServers?: boolean | undefined;
  /** Variables that are set for it. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What the permission modes come to in its block. */
  readonly modes?: AdapterModes | undefined;
}

/** Settings in whose place a permission mode stands. */
const REPLACED = ["mode", "allowed_kinds", "trust_all_tools", "read_only"];
/** Nobody gives a permission: what the agent would write through us is refused as what it asks for. */
const READ_ONLY = { read_only: true };

/**
 * By itself OpenCode permits everything; with these words it asks for what changes something or reaches out, so that
 * the configuration decides. Ways that lead out of the workspace are asked about by itself.
 */
const OPENCODE_PERMISSION = {
  "*": "ask",
  ...Object.fromEntries(["read", "glob", "grep", "list", "todoread", "todowrite"].map((tool) => [tool, "allow"])),
  question: "deny",
};

/** Any agent, by its command. */
export const ANY_AGENT: AcpPreset = { kind: "acp", defaultCommand: "", credentials: [], keys: [], usage: "none" };

/** Agents with a name of their own. agent-adapter: Agent Client Protocol. */
export const ACP_PRESETS: readonly AcpPreset[] = [
  {
    ...{ kind: "acp:gemini", defaultCommand: "gemini --acp", usage: "turn_end", modelFlag: "--model" },
    credentials: [
      ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_VERTEXAI"],
      ...["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS", "GEMINI_CLI_HOME"],
    ],
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
    install: "npm install --global @google/gemini-cli",
    signIn: "run `gemini` and choose a way, or set GEMINI_API_KEY",
    signInFile: ".gemini/oauth_creds.json",
    ...{ trustFlag: "--skip-trust", dropsUntrustedServers: true },
    modes: {
      // In its mode `default` it asks, and what it asks for is refused.
      ...{ plan: { mode: "plan", ...READ_ONLY }, ask: { mode: "default", ...READ_ONLY } },
      auto: { mode: "yolo", trust_all_tools: true },
      replaces: REPLACED,
    },
  },
  {
    ...{ kind: "acp:copilot", defaultCommand: "copilot --acp", usage: "none", modelFlag: "--model" },
    credentials: [
      ...["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_HOME", "COPILOT_MODEL", "COPILOT_OFFLINE"],
      ...["COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"],
      "COPILOT_PROVIDER_TYPE",
    ],
    keys: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
    modes: { ...{ plan: READ_ONLY, ask: READ_ONLY, auto: { trust_all_tools: true } }, replaces: REPLACED },
    install: "npm install --global @github/copilot",
    signIn: "run `copilot` and type /login, or set COPILOT_GITHUB_TOKEN",
  },
  {
    // What it tells of tokens is its last request alone, so it counts as nothing.
    ...{ kind: "acp:opencode", defaultCommand: "opencode acp", usage: "none" },
    credentials: [
      "OPENCODE_CONFIG",
      "OPENCODE_CONFIG_CONTENT",
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "GEMINI_API_KEY",
    ],
    keys: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"],
    env: {
      ...{ OPENCODE_AUTO_SHARE: "false", OPENCODE_DISABLE_AUTOUPDATE: "true", OPENCODE_DISABLE_LSP_DOWNLOAD: "true" },
      OPENCODE_PERMISSION: JSON.stringify(OPENCODE_PERMISSION),
    },
    modes: {
      ...{ plan: { mode: "plan", ...READ_ONLY }, ask: { mode: "build", ...READ_ONLY } },
      auto: { mode: "build", trust_all_tools: true },
      replaces: REPLACED,
    },
    install: "npm install --global opencode-ai",
    signIn: "run `opencode auth login`, or set the key of a provider",
    signInFile: ".local/share/opencode/auth.json",
  },
  {
    ...{ kind: "acp:kiro", defaultCommand: "kiro-cli acp", usage: "none" },
    ...{ credentials: ["KIRO_API_KEY"], keys: ["KIRO_API_KEY"], signIn: "set KIRO_API_KEY" },
    install: "see https://kiro.dev/docs/cli",
  },
  {
    ...{ kind: "acp:codex-acp", defaultCommand: "codex-acp", usage: "turn_end" },
    credentials: ["CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_HOME"],
    keys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    modes: {
      // It asks before it edits a file or reaches the network, which is refused.
      ...{ plan: { mode: "read-only", ...READ_ONLY }, ask: { mode: "read-only", ...READ_ONLY } },
      auto: { mode: "agent-full-access", trust_all_tools: true },
      replaces: REPLACED,
    },
    install: "npm install --global @agentclientprotocol/codex-acp",
    signIn: "run `codex login`, or set CODEX_API_KEY",
    signInFile: ".codex/auth.json",
  },
];
