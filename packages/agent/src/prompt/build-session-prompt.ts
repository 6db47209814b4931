import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";
import type { ProviderProfile } from "../profile/provider-profile.ts";
import { environmentContext } from "./environment-context.ts";
import { readGitSnapshot } from "./git-snapshot.ts";
import { readProjectDocuments } from "./project-documents.ts";

/** What the system prompt of a session is made of. */
export interface SessionPromptOptions {
  /** Base instructions and the names of instruction files. */
  readonly profile: ProviderProfile;
  /** Where the project is. */
  readonly environment: ExecutionEnvironment;
  /** The tools the session offers. */
  readonly registry: ToolRegistry;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** The user's own instructions. */
  readonly instructions?: string | undefined;
  /** Stops looking around. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks round once and assembles the system prompt that every request of the session carries. Never fails for
 * anything it finds or does not find. loop: §6.1.
 */
export async function buildSessionPrompt(options: SessionPromptOptions): Promise<string> {
  const { profile, environment, registry, now, signal } = options;
  const git = await readGitSnapshot(environment, signal);
  const projectDocuments = await readProjectDocuments(environment, {
    names: profile.documentNames,
    gitRoot: git?.root,
    signal,
  });
  return profile.buildSystemPrompt({
    environmentContext: environmentContext({ profile, environment, git, now }),
    tools: registry.definitions(),
    projectDocuments,
    userInstructions: options.instructions,
  });
}
