import type { TurnInvocation, TurnRequest } from "@switchyard/adapter-kit";
import type { ClaudeCodeConfig } from "./claude-code-config.ts";

function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)];
}

/** Joined to one word each: a list of several would swallow what follows it. */
function listFlag(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`${name}=${values.join(",")}`];
}

function smaller(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
}

/** Least privilege where nothing is said: edits and commands are denied, and nobody is asked. */
function permissions({ trustAllTools, permissionMode }: ClaudeCodeConfig): string[] {
  return trustAllTools ? ["--dangerously-skip-permissions"] : ["--permission-mode", permissionMode ?? "dontAsk"];
}

/**
 * The arguments of one turn; the prompt goes by standard input, which may be of any length and is seen by nobody. The
 * first turn of a new session names the id that we mint, every other one continues by it.
 */
export function buildTurn(config: ClaudeCodeConfig, request: TurnRequest<unknown>): TurnInvocation {
  const { turn, sessionId, isResumed, prompt, mcpConfigPath, maxTurns } = request;
  const isNew = turn === 1 && !isResumed;
  const args = [
    ...["-p", "--output-format", "stream-json", "--verbose"],
    ...permissions(config),
    // Settings of a workspace can run commands: they count only where its owner is trusted. decision 20
    ...(config.trustProject ? [] : ["--setting-sources", "user"]),
    ...(isNew ? flag("--session-id", sessionId === "" ? undefined : sessionId) : ["--resume", sessionId]),
    ...flag("--model", config.model),
    ...flag("--fallback-model", config.fallbackModel),
    ...flag("--max-turns", smaller(config.maxTurns, maxTurns)),
    ...flag("--max-budget-usd", config.maxBudgetUsd),
    ...flag("--effort", config.effort),
    ...listFlag("--allowedTools", config.allowedTools),
    ...listFlag("--disallowedTools", config.disallowedTools),
    ...flag("--append-system-prompt", config.appendSystemPrompt),
    ...(mcpConfigPath === undefined ? [] : [`--mcp-config=${mcpConfigPath}`, "--strict-mcp-config"]),
  ];
  return { args, stdin: prompt, env: { NO_COLOR: "1", DISABLE_AUTOUPDATER: "1" } };
}
