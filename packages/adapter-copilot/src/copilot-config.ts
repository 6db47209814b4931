import type { ConfigReader } from "@switchyard/adapter-kit";

/** Configuration block `copilot`. */
export interface CopilotConfig {
  readonly model?: string | undefined;
  /** Name of a custom agent that is defined in the configuration of `copilot`. */
  readonly agent?: string | undefined;
  /** Tools that are allowed without asking, in the syntax of `copilot`. */
  readonly allowedTools: readonly string[];
  readonly deniedTools: readonly string[];
  /** Tools that the model can see. */
  readonly availableTools: readonly string[];
  readonly excludedTools: readonly string[];
  readonly trustAllTools: boolean;
  /** True if `copilot` uses configuration that is stored in the workspace. */
  readonly trustProject: boolean;
  /** True if `copilot` continues without further prompts until it reports the task as done. */
  readonly autopilot: boolean;
  readonly maxContinues?: number | undefined;
  readonly disableBuiltinMcps: boolean;
  readonly noCustomInstructions: boolean;
}

/**
 * Reads the adapter's configuration block. By default, only actions that `copilot` considers harmless are allowed. See
 * agent-adapter: surface capabilities.
 */
export function readCopilotConfig(reader: ConfigReader): CopilotConfig {
  reader.exclude("trust_all_tools", "allowed_tools");
  const allowedTools = reader.texts("allowed_tools");
  const deniedTools = reader.texts("denied_tools");
  const both = allowedTools.find((tool) => deniedTools.includes(tool));
  if (both !== undefined) reader.problem("allowed_tools", `${both} is in denied_tools as well`);
  const autopilot = reader.flag("autopilot");
  const maxContinues = reader.count("max_continues");
  if (maxContinues !== undefined && !autopilot) reader.problem("max_continues", "it has an effect only with autopilot");
  return {
    ...{ model: reader.text("model"), agent: reader.text("agent"), allowedTools, deniedTools },
    ...{ availableTools: reader.texts("available_tools"), excludedTools: reader.texts("excluded_tools") },
    ...{ trustAllTools: reader.flag("trust_all_tools"), trustProject: reader.flag("trust_project") },
    ...{ autopilot, maxContinues, disableBuiltinMcps: reader.flag("disable_builtin_mcps") },
    noCustomInstructions: reader.flag("no_custom_instructions"),
  };
}
