/**
 * Text of a new project settings file. It names every setting that a project may contain, commented out, with its
 * default or an example. Prose starts with a capital letter, so that `# name: value` always is a setting.
 */
export const SETTINGS_TEMPLATE = `# Settings of Switchyard for this folder. Every setting is optional and has the name of an option
# of "switchyard run". Options on the command line take precedence over this file, and this file
# over your own ~/.config/switchyard/config.yaml.
#
# These settings are used only in a folder that you trust, and only as you trusted them: run
# "switchyard trust" after each change. "switchyard config" shows what is in effect, and why.

# Model

# Model of the built-in agent, as provider/name. "switchyard models" lists models. Default: none.
# model: anthropic/claude-sonnet-5-5

# Models to fall back to if the model fails, separated by commas. Default: none.
# fallback_model: openai/gpt-6.2-sol

# Reasoning effort: low, medium, high, or another value of the provider. Default: the provider's.
# reasoning_effort: medium

# Tool names that the model sees: specification, or native to its provider. Default: specification.
# tool_names: specification

# Limits

# Maximum number of model turns. Default: no limit.
# max_turns: 100

# Time limit of a run, in seconds or such as 20m. Default: no limit.
# timeout: 30m

# How long failed model calls of a turn are retried. 0 disables retries. Default: 10m.
# retry_for: 10m

# How long to wait for MCP servers before a run starts. Default: 30s.
# mcp_wait: 30s

# Permissions. A project can only be stricter than your own settings and the defaults.

# Permission mode: plan (read-only), ask (before writes and commands) or auto (never ask).
# mode: ask

# Tool calls that need approval, instead of a mode: never, on-commands, on-writes or always.
# approve: on-writes

# Calls that never run. The rules of all settings files and options apply together.
# deny: ["path:**/.env", "shell(git push *)"]

# Only your own settings file can contain the following, because they extend permissions, send
# data elsewhere or select programs: engine, base_url, direct, env, env_network, env_memory,
# env_user, allow, web, web_search, mcp_config, state, store, budgets.
`;
