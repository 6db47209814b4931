// @ts-check
import { acpKinds } from "@switchyard/adapter-acp";
import { claudeCode } from "@switchyard/adapter-claude-code";
import { codex } from "@switchyard/adapter-codex";
import { copilot } from "@switchyard/adapter-copilot";
import { createAdapterRegistry } from "@switchyard/adapter-kit";
import { opencode } from "@switchyard/adapter-opencode";

/** @import { AdapterKind } from "@switchyard/adapter-kit" */

/**
 * A real agent, as a user would configure it for direct model calls.
 * @typedef {object} AgentSetting
 * @property {string} name Name of the real agent.
 * @property {AdapterKind} kind
 * @property {readonly string[]} words Arguments after the program.
 * @property {Readonly<Record<string, unknown>>} block Configuration block of the adapter.
 * @property {(command: string) => { name: string, arguments: Record<string, string> }} call Tool call that runs a command.
 * @property {string} keyVariable Variable in which a user sets the API key.
 * @property {Readonly<Record<string, string>>} variables Other variables that are passed to the agent.
 * @property {Readonly<Record<string, string>>} files Files below the home, with settings of a user.
 */

const STORED_KEY = "key-that-the-agent-has-stored-0123456789";

/** Calls `bash` with a command. @type {AgentSetting["call"]} */
const bash = (command) => ({ name: "bash", arguments: { command, description: "run" } });

/** @type {readonly AgentSetting[]} */
export const AGENTS = [
  {
    ...{ name: "claude-code", kind: claudeCode, words: [], block: { allowed_tools: ["Bash"] } },
    call: (command) => ({ name: "Bash", arguments: { command, description: "run" } }),
    keyVariable: "ANTHROPIC_API_KEY",
    variables: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", CLAUDE_CODE_MAX_RETRIES: "1" },
    // The user's own address must have no effect.
    files: { ".claude/settings.json": JSON.stringify({ env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } }) },
  },
  {
    ...{ name: "codex", kind: codex, words: ["app-server"], block: { model: "gpt-5.5" }, keyVariable: "CODEX_API_KEY" },
    call: (cmd) => ({ name: "exec_command", arguments: { cmd } }),
    variables: {},
    files: {
      ".codex/auth.json": JSON.stringify({ OPENAI_API_KEY: STORED_KEY }),
      ".codex/config.toml": "check_for_update_on_startup = false\n[analytics]\nenabled = false\n",
    },
  },
  {
    ...{ name: "copilot", kind: copilot, words: [], block: { allowed_tools: ["shell", "write"] }, call: bash },
    keyVariable: "COPILOT_PROVIDER_API_KEY",
    variables: { COPILOT_MODEL: "gpt-5.5", COPILOT_PROVIDER_BASE_URL: "https://api.openai.com/v1" },
    files: {},
  },
  {
    ...{ name: "gemini", kind: createAdapterRegistry(acpKinds).get("acp:gemini"), words: ["--acp"] },
    block: { model: "gemini-2.5-pro", allowed_kinds: ["execute"] },
    call: (command) => ({ name: "run_shell_command", arguments: { command } }),
    ...{ keyVariable: "GEMINI_API_KEY", variables: {} },
    files: {
      ".gemini/settings.json": JSON.stringify({
        ...{ privacy: { usageStatisticsEnabled: false }, telemetry: { enabled: false } },
        general: { maxAttempts: 2, enableAutoUpdate: false, enableAutoUpdateNotification: false },
      }),
    },
  },
  {
    ...{ name: "opencode", kind: opencode, words: [], call: bash, keyVariable: "ANTHROPIC_API_KEY" },
    block: { model: "anthropic/claude-sonnet-4-5", allowed_tools: ["bash"] },
    variables: { OPENCODE_DISABLE_MODELS_FETCH: "true" },
    files: {
      ".local/share/opencode/auth.json": JSON.stringify({ anthropic: { type: "api", key: STORED_KEY } }),
    },
  },
];
