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
}

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
  },
  {
    ...{ kind: "acp:copilot", defaultCommand: "copilot --acp", usage: "none", modelFlag: "--model" },
    credentials: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_HOME"],
    keys: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
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
    install: "npm install --global @agentclientprotocol/codex-acp",
    signIn: "run `codex login`, or set CODEX_API_KEY",
    signInFile: ".codex/auth.json",
  },
];
