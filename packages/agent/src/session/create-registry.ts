import type { RegisteredTool } from "@switchyard/contracts";
import { ToolRegistry } from "../pipeline/tool-registry.ts";
import { createSkillTool } from "../skills/create-skill-tool.ts";
import { askUserTool } from "../tools/ask-user.ts";
import type { SessionOptions } from "./session-options.ts";
import { toolFilter } from "./tool-filter.ts";

/** The tools that belong to an option, unless the host has its own of that name. */
function toolsOfOptions({ profile, tools = [], skills = [], askUser }: SessionOptions): RegisteredTool[] {
  if (askUser === undefined && skills.length === 0) return [];
  const own = [
    ...(askUser === undefined ? [] : [askUserTool]),
    ...(skills.length === 0 ? [] : [createSkillTool(skills)]),
  ];
  const exposed = own.map((tool) => profile.exposeTool?.(tool) ?? tool);
  return exposed.filter(
    ({ definition: { name } }) =>
      profile.toolRegistry.get(name) === undefined && !tools.some(({ definition }) => definition.name === name),
  );
}

/**
 * The profile's tools with the host's on top, and those that belong to an option, in a registry of the session's own.
 * loop: §3.7.
 */
export function createRegistry(options: SessionOptions, maySpawn: boolean): ToolRegistry {
  const { profile, tools = [], allowedTools } = options;
  const isAllowed = toolFilter(allowedTools);
  const registry = new ToolRegistry();
  const offer = (tool: RegisteredTool): void => {
    if (tool.needsSubagents === true && !maySpawn) return;
    if (isAllowed(tool)) registry.register(tool);
    // Its place is taken all the same.
    else registry.unregister(tool.definition.name);
  };
  profile.toolRegistry.tools().forEach(offer);
  tools.forEach(offer);
  toolsOfOptions(options).forEach(offer);
  return registry;
}
