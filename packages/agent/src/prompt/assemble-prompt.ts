import type { ToolDefinition } from "@switchyard/contracts";
import type { SystemPromptLayers } from "../profile/provider-profile.ts";

function toolLayer(tools: readonly ToolDefinition[]): string {
  if (tools.length === 0) return "";
  return ["# Tools", "", ...tools.map(({ name, description }) => `- ${name}: ${description}`)].join("\n");
}

function section(title: string, text: string | undefined): string {
  return text === undefined || text.trim() === "" ? "" : `# ${title}\n\n${text.trim()}`;
}

/** Joins the five layers of a system prompt in order. Omits empty layers. See loop: §6.1. */
export function assemblePrompt(baseInstructions: string, layers: SystemPromptLayers): string {
  return [
    baseInstructions.trim(),
    section("Environment", layers.environmentContext),
    toolLayer(layers.tools),
    section("Project instructions", layers.projectDocuments),
    section("Skills", layers.skills),
    section("User instructions", layers.userInstructions),
  ]
    .filter((layer) => layer !== "")
    .join("\n\n");
}
