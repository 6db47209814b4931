import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";
import type { ProviderProfile } from "../profile/provider-profile.ts";
import { renderSkills } from "../skills/render-skills.ts";
import type { Skill } from "../skills/skill.ts";
import { environmentContext } from "./environment-context.ts";
import { inspectWorkspace, type WorkspaceFacts } from "./inspect-workspace.ts";

/** Options for `buildSessionPrompt`. */
export interface SessionPromptOptions {
  /** Profile with the base instructions and the names of instruction files. */
  readonly profile: ProviderProfile;
  /** Model id. Default: the profile's model. */
  readonly model?: string | undefined;
  /** Environment of the project. */
  readonly environment: ExecutionEnvironment;
  /** The session's tools. */
  readonly registry: ToolRegistry;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Skills to list in the prompt. */
  readonly skills?: readonly Skill[] | undefined;
  /** The user's instructions. */
  readonly instructions?: string | undefined;
  /** Signal that stops the inspection of the workspace when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Renders the list of skills. Empty if the model has no tool to read them. */
function skillLayer({ registry, skills = [] }: SessionPromptOptions): string {
  const toolName = registry.exposedName("skill");
  return toolName === undefined ? "" : renderSkills(skills, toolName);
}

let lastPrompt = "";

/**
 * Returns the string object of the previous prompt if it is equal to this prompt. A prompt takes kilobytes, most of the
 * memory of a small session, so sessions with equal prompts share one string.
 */
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
 * Inspects the workspace once and builds the system prompt for all requests of a session. Workspace content never makes
 * it fail. See loop: §6.1.
 */
export function buildSessionPrompt(options: SessionPromptOptions): Promise<string> {
  const { profile, environment, signal } = options;
  const looked = inspectWorkspace(environment, { names: profile.documentNames, signal });
  return looked.then((surroundings) => assemble(options, surroundings));
}
