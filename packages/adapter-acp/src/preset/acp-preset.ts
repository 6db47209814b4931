import { type AdapterModes, copilotRedirect, type LaunchTarget, type ModelRedirect } from "@switchyard/adapter-kit";
import type { AcpConfig } from "./acp-config.ts";
import { clientRedirect, geminiRedirect, neverRedirected, opencodeRedirect } from "./acp-redirects.ts";
import { assertGeminiLogin } from "./gemini-login.ts";

/** Settings of one agent that speaks the Agent Client Protocol. */
export interface AcpPreset {
  /** Name of the adapter, such as `acp:gemini`. */
  readonly kind: string;
  /** Default command; empty if there is none. */
  readonly defaultCommand: string;
  /** Environment variables that authenticate the agent or configure its model. */
  readonly credentials: readonly string[];
  /** Environment variables, each of which is sufficient to authenticate. */
  readonly keys: readonly string[];
  /** How to install the agent. */
  readonly install?: string | undefined;
  /** How to authenticate. */
  readonly login?: string | undefined;
  /** File below the home folder that stores the agent's credentials. */
  readonly credentialFile?: string | undefined;
  /** Whether the agent reports the tokens of a turn. */
  readonly usage: "turn_end" | "none";
  /** Command-line flag that selects the model. `undefined`: the model is set through the protocol. */
  readonly modelFlag?: string | undefined;
  /** Command-line flag that makes the agent trust the workspace. `undefined` if none is needed. */
  readonly trustFlag?: string | undefined;
  /** True if the agent silently starts no MCP servers in an untrusted workspace. */
  readonly dropsUntrustedServers?: boolean | undefined;
  /**
   * Environment variables that select the folders of the agent's state, with a relative path for each folder. They are
   * set only in a sandbox, in which the adapter creates the folders.
   */
  readonly stateFolders?: Readonly<Record<string, string>> | undefined;
  /** Environment variables to set. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** How the agent's model calls are redirected to the model gateway. */
  readonly redirect: ModelRedirect<AcpConfig>;
  /** Rejects if the user's settings of the agent prevent the redirection. */
  readonly assertRedirected?: ((target: LaunchTarget) => Promise<void>) | undefined;
  /** Settings of the configuration block for each permission mode. */
  readonly modes?: AdapterModes | undefined;
}

/** Names of settings that are overridden when a permission mode is set. */
const REPLACED = ["mode", "allowed_kinds", "trust_all_tools", "read_only", "ask_before_write"];
/** Settings for an agent that must not write files through the host. */
const READ_ONLY = { read_only: true };
/** Settings with which the user decides about every file that the agent writes through the host. */
const ASK_BEFORE_WRITE = { ask_before_write: true };

/**
 * Settings that make OpenCode ask before it changes files or accesses the network. Without them, OpenCode allows both.
 * For access outside the workspace, OpenCode asks by default.
 */
const OPENCODE_PERMISSION = {
  "*": "ask",
  ...Object.fromEntries(["read", "glob", "grep", "list", "todoread", "todowrite"].map((tool) => [tool, "allow"])),
  question: "deny",
};

/** Generic adapter for any ACP agent. The command that starts the agent must be configured. */
export const ANY_AGENT: AcpPreset = {
  ...{ kind: "acp", defaultCommand: "", credentials: [], keys: [], usage: "none", redirect: clientRedirect },
};

/** Known agents. See agent-adapter: Agent Client Protocol. */
export const ACP_PRESETS: readonly AcpPreset[] = [
  {
    ...{ kind: "acp:gemini", defaultCommand: "gemini --acp", usage: "turn_end", modelFlag: "--model" },
    ...{ redirect: geminiRedirect, assertRedirected: assertGeminiLogin },
    credentials: [
      ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_VERTEXAI"],
      ...["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS", "GEMINI_CLI_HOME"],
    ],
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
    install: "npm install --global @google/gemini-cli",
    login: "run `gemini` and choose an authentication method, or set GEMINI_API_KEY",
    credentialFile: ".gemini/oauth_creds.json",
    stateFolders: { GEMINI_CLI_HOME: "gemini" },
    ...{ trustFlag: "--skip-trust", dropsUntrustedServers: true },
    modes: {
      // In the mode `default`, the agent asks for permissions, about which the user decides.
      ...{ plan: { mode: "plan", ...READ_ONLY }, ask: { mode: "default", ...ASK_BEFORE_WRITE } },
      auto: { mode: "yolo", trust_all_tools: true },
      replaces: REPLACED,
    },
  },
  {
    ...{ kind: "acp:copilot", defaultCommand: "copilot --acp", usage: "none", modelFlag: "--model" },
    redirect: copilotRedirect,
    stateFolders: { COPILOT_HOME: "copilot" },
    credentials: [
      ...["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_HOME", "COPILOT_MODEL", "COPILOT_OFFLINE"],
      ...["COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"],
      "COPILOT_PROVIDER_TYPE",
    ],
    keys: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
    modes: { ...{ plan: READ_ONLY, ask: ASK_BEFORE_WRITE, auto: { trust_all_tools: true } }, replaces: REPLACED },
    install: "npm install --global @github/copilot",
    login: "run `copilot` and type /login, or set COPILOT_GITHUB_TOKEN",
  },
  {
    // OpenCode reports only the usage of its last request, so the reported usage is ignored.
    ...{ kind: "acp:opencode", defaultCommand: "opencode acp", usage: "none", redirect: opencodeRedirect },
    credentials: [
      "OPENCODE_CONFIG",
      "OPENCODE_CONFIG_CONTENT",
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "GEMINI_API_KEY",
    ],
    keys: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"],
    stateFolders: { XDG_DATA_HOME: "data", XDG_STATE_HOME: "state", XDG_CONFIG_HOME: "config" },
    env: {
      ...{ OPENCODE_AUTO_SHARE: "false", OPENCODE_DISABLE_AUTOUPDATE: "true", OPENCODE_DISABLE_LSP_DOWNLOAD: "true" },
      OPENCODE_PERMISSION: JSON.stringify(OPENCODE_PERMISSION),
    },
    modes: {
      ...{ plan: { mode: "plan", ...READ_ONLY }, ask: { mode: "build", ...ASK_BEFORE_WRITE } },
      auto: { mode: "build", trust_all_tools: true },
      replaces: REPLACED,
    },
    install: "npm install --global opencode-ai",
    login: "run `opencode auth login`, or set the API key of a provider, such as ANTHROPIC_API_KEY",
    credentialFile: ".local/share/opencode/auth.json",
  },
  {
    ...{ kind: "acp:kiro", defaultCommand: "kiro-cli acp", usage: "none" },
    redirect: neverRedirected("kiro-cli calls the models of its own service only"),
    ...{ credentials: ["KIRO_API_KEY"], keys: ["KIRO_API_KEY"], login: "set KIRO_API_KEY" },
    install: "see https://kiro.dev/docs/cli",
  },
  {
    ...{ kind: "acp:codex-acp", defaultCommand: "codex-acp", usage: "turn_end" },
    redirect: neverRedirected(
      "codex-acp has no setting for the address of the model that was tested; the engine codex has one",
    ),
    credentials: ["CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_HOME"],
    keys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    stateFolders: { CODEX_HOME: "codex" },
    modes: {
      // In the mode `read-only`, Codex asks before it edits a file or accesses the network.
      ...{ plan: { mode: "read-only", ...READ_ONLY }, ask: { mode: "read-only", ...ASK_BEFORE_WRITE } },
      auto: { mode: "agent-full-access", trust_all_tools: true },
      replaces: REPLACED,
    },
    install: "npm install --global @agentclientprotocol/codex-acp",
    login: "run `codex login`, or set CODEX_API_KEY",
    credentialFile: ".codex/auth.json",
  },
];
