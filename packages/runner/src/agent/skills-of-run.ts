import {
  DEPENDENCY,
  type ExecutionEnvironment,
  isExecutionEnvironment,
  messageOf,
  type Run,
} from "@switchyard/contracts";
import type { TrustedFiles } from "../skills/instruction-folder.ts";
import { type LoadedSkills, loadSkills } from "../skills/load-skills.ts";

/** Where the built-in agent finds skills and commands. */
export interface AgentSkillsConfig {
  /**
   * Whether those of the workspace are used: `true` for all as they are now, or the files with the content that the user
   * trusts; `false` for none, and no byte of them is read. architecture: decision 32.
   */
  readonly trusted: boolean | TrustedFiles;
  /** The user's own folder, their home as a rule; none by default. */
  readonly userFolder?: string | undefined;
}

/** A folder of this machine as a place to read in; nothing where it is not there. */
async function openFolder(root: string): Promise<ExecutionEnvironment | undefined> {
  const { openEnvironment } = await import("@switchyard/environment");
  return openEnvironment({ type: "local", root }).catch(() => undefined);
}

/** The skills and commands of a run. Never rejects: what cannot be read is told. */
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
