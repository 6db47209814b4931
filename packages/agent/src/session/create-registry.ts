import { ToolRegistry } from "../pipeline/tool-registry.ts";
import { createSkillTool } from "../skills/create-skill-tool.ts";
import { askUserTool } from "../tools/ask-user.ts";
import type { SessionOptions } from "./session-options.ts";

/**
 * The profile's tools with the host's on top, and those that belong to an option, in a registry of the session's own.
 * loop: §3.7.
 */
export function createRegistry(options: SessionOptions, maySpawn: boolean): ToolRegistry {
  const { profile, tools = [], skills = [], allowedTools, askUser } = options;
  const offered = [...profile.toolRegistry.tools(), ...tools];
  const registry = new ToolRegistry(offered.filter(({ needsSubagents }) => maySpawn || needsSubagents !== true));
  const own = [
    ...(askUser === undefined ? [] : [askUserTool]),
    ...(skills.length === 0 ? [] : [createSkillTool(skills)]),
  ];
  for (const tool of own) {
    const exposed = profile.exposeTool?.(tool) ?? tool;
    if (registry.get(exposed.definition.name) === undefined) registry.register(exposed);
  }
  return allowedTools === undefined ? registry : registry.clone(allowedTools);
}
