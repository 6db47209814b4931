import type { ConfigReader } from "@switchyard/adapter-kit";

/** What the block `copilot` says. */
export interface CopilotConfig {
  readonly model?: string | undefined;
  /** Agent of the command's own configuration. */
  readonly agent?: string | undefined;
  /** Tools that may be used without asking, in the command's own words. */
  readonly allowedTools: readonly string[];
  readonly deniedTools: readonly string[];
  /** Tools that the model is shown at all. */
  readonly availableTools: readonly string[];
  readonly excludedTools: readonly string[];
  readonly trustAllTools: boolean;
  /** Whether configuration of the workspace counts. */
  readonly trustProject: boolean;
  /** Whether it goes on by itself until it calls its task done. */
  readonly autopilot: boolean;
  readonly maxContinues?: number | undefined;
  readonly disableBuiltinMcps: boolean;
  readonly noCustomInstructions: boolean;
}

/** Reads the block; without settings only what the command takes for harmless is permitted. agent-adapter: surface capabilities. */
export function readCopilotConfig(reader: ConfigReader): CopilotConfig {
  reader.exclude("trust_all_tools", "allowed_tools");
  const allowedTools = reader.texts("allowed_tools");
  const deniedTools = reader.texts("denied_tools");
  const both = allowedTools.find((tool) => deniedTools.includes(tool));
  if (both !== undefined) reader.problem("allowed_tools", `${both} is in denied_tools as well`);
  const autopilot = reader.flag("autopilot");
  const maxContinues = reader.count("max_continues");
  if (maxContinues !== undefined && !autopilot) reader.problem("max_continues", "it counts with autopilot alone");
  return {
    ...{ model: reader.text("model"), agent: reader.text("agent"), allowedTools, deniedTools },
    ...{ availableTools: reader.texts("available_tools"), excludedTools: reader.texts("excluded_tools") },
    ...{ trustAllTools: reader.flag("trust_all_tools"), trustProject: reader.flag("trust_project") },
    ...{ autopilot, maxContinues, disableBuiltinMcps: reader.flag("disable_builtin_mcps") },
    noCustomInstructions: reader.flag("no_custom_instructions"),
  };
}
