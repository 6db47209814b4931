import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";
import type { ProviderProfile } from "../profile/provider-profile.ts";
import { renderSkills } from "../skills/render-skills.ts";
import type { Skill } from "../skills/skill.ts";
import { environmentContext } from "./environment-context.ts";
import { inspectWorkspace, type WorkspaceFacts } from "./inspect-workspace.ts";

/** What the system prompt of a session is made of. */
export interface SessionPromptOptions {
  /** Base instructions and the names of instruction files. */
  readonly profile: ProviderProfile;
  /** The vendor's model id, where it is not the profile's. */
  readonly model?: string | undefined;
  /** Where the project is. */
  readonly environment: ExecutionEnvironment;
  /** The tools the session offers. */
  readonly registry: ToolRegistry;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** Instructions for special tasks. */
  readonly skills?: readonly Skill[] | undefined;
  /** The user's own instructions. */
  readonly instructions?: string | undefined;
  /** Stops looking around. */
  readonly signal?: AbortSignal | undefined;
}

/** The list of skills; those that the model has no tool to read are not offered. */
function skillLayer({ registry, skills = [] }: SessionPromptOptions): string {
  const toolName = registry.exposedName("skill");
  return toolName === undefined ? "" : renderSkills(skills, toolName);
}

let lastPrompt = "";

/** The same text for all sessions that begin alike: kilobytes for each of many would be most of what it holds. */
function shared(prompt: string): string {
  if (prompt !== lastPrompt) lastPrompt = prompt;
  return lastPrompt;
}

function assemble(options: SessionPromptOptions, { git, projectDocuments }: WorkspaceFacts): string {
  const { profile, model, environment, registry, now } = options;
  const prompt = profile.buildSystemPrompt({
    environmentContext: environmentContext({ profile, model, environment, git, now }),
    tools: registry.definitions(),
    projectDocuments,
    skills: skillLayer(options),
    userInstructions: options.instructions,
  });
  return shared(prompt);
}

/**
 * Looks round once and assembles the system prompt that every request of the session carries. Never fails for
 * anything it finds or does not find. loop: §6.1.
 */
export function buildSessionPrompt(options: SessionPromptOptions): Promise<string> {
  const { profile, environment, signal } = options;
  const looked = inspectWorkspace(environment, { names: profile.documentNames, signal });
  return looked.then((surroundings) => assemble(options, surroundings));
}
