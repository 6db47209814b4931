import type { RegisteredTool } from "@switchyard/contracts";
import { ToolRegistry } from "../pipeline/tool-registry.ts";
import { createSkillTool } from "../skills/create-skill-tool.ts";
import { askUserTool } from "../tools/ask-user.ts";
import type { SessionOptions } from "./session-options.ts";
import { toolFilter } from "./tool-filter.ts";

/**
 * Returns the built-in tools that session options enable, except those that the profile or host defines under the same
 * name.
 */
function toolsOfOptions({ profile, tools = [], skills = [], askUser }: SessionOptions): RegisteredTool[] {
  if (askUser === undefined && skills.length === 0) return [];
  const ownTools = [
    ...(askUser === undefined ? [] : [askUserTool]),
    ...(skills.length === 0 ? [] : [createSkillTool(skills)]),
  ];
  const exposed = ownTools.map((tool) => profile.exposeTool?.(tool) ?? tool);
  return exposed.filter(
    ({ definition: { name } }) =>
      profile.toolRegistry.get(name) === undefined && !tools.some(({ definition }) => definition.name === name),
  );
}

/**
 * Creates the tool registry of a session: the profile's tools, the host's tools, and built-in tools that session
 * options enable. See loop: §3.7.
 */
export function createRegistry(options: SessionOptions, maySpawn: boolean): ToolRegistry {
  const { profile, tools = [], allowedTools } = options;
  const isAllowed = toolFilter(allowedTools);
  const registry = new ToolRegistry();
  const offer = (tool: RegisteredTool): void => {
    if (tool.needsSubagents === true && !maySpawn) return;
    if (isAllowed(tool)) registry.register(tool);
    // A tool of the host that `allowedTools` excludes still removes the profile's tool of the same name.
    else registry.unregister(tool.definition.name);
  };
  profile.toolRegistry.tools().forEach(offer);
  tools.forEach(offer);
  toolsOfOptions(options).forEach(offer);
  return registry;
}
