import {
  DEPENDENCY,
  type ExecutionEnvironment,
  isExecutionEnvironment,
  messageOf,
  type Run,
} from "@switchyard/contracts";
import type { TrustedFiles } from "../skills/instruction-folder.ts";
import { type LoadedSkills, loadSkills } from "../skills/load-skills.ts";

/** Folders in which the built-in agent finds skills and commands. */
export interface AgentSkillsConfig {
  /**
   * Whether to use skills of the workspace. `true`: all skills, with their current content. A map of digests: only
   * files whose content still matches the digest that the user trusted. `false`: none, and no skill file is read. See
   * architecture: decision 32.
   */
  readonly trusted: boolean | TrustedFiles;
  /** The user's folder, usually the home folder. Default: none. */
  readonly userFolder?: string | undefined;
}

/** Opens a local folder for reading. `undefined` if the folder does not exist. */
async function openFolder(root: string): Promise<ExecutionEnvironment | undefined> {
  const { openEnvironment } = await import("@switchyard/environment");
  return openEnvironment({ type: "local", root }).catch(() => undefined);
}

/** Loads the skills and commands of a run. Never rejects: unreadable files cause warnings. */
export async function skillsOfRun({ trusted, userFolder }: AgentSkillsConfig, run: Run): Promise<LoadedSkills> {
  const found = run.deps.get(DEPENDENCY.environment);
  const workspace = isExecutionEnvironment(found) ? found : undefined;
  const user = userFolder === undefined ? undefined : await openFolder(userFolder);
  try {
    return await loadSkills({ workspace, trusted, user });
  } catch (error) {
    const message = `Skills and commands could not be read: ${messageOf(error)}`;
    return { skills: [], commands: [], notices: [{ message, kind: "instructions_ignored" }] };
  } finally {
    await user?.[Symbol.asyncDispose]();
  }
}
