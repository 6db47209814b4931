import type { TurnInvocation } from "@switchyard/adapter-kit";
import type { KiroConfig } from "./kiro-config.ts";

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

/**
 * Returns the arguments of a turn. The prompt is one argument after `--`. If `isContinued` is true, `kiro-cli`
 * continues the latest conversation of the folder. See agent-adapter: construct the command.
 */
export function buildTurn(config: KiroConfig, prompt: string, isContinued: boolean): TurnInvocation {
  const { model, agent, trustAllTools, trustTools } = config;
  const args = [
    ...["chat", "--no-interactive", "--wrap", "never"],
    ...flag("--model", model),
    trustAllTools ? "--trust-all-tools" : `--trust-tools=${trustTools.join(",")}`,
    ...flag("--agent", agent),
    ...(isContinued ? ["--resume"] : []),
    ...["--", prompt],
  ];
  return { args, env: { NO_COLOR: "1" } };
}
