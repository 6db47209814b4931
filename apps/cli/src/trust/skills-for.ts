import type { AgentSkillsConfig } from "@switchyard/runner";
import { type EnvironmentSelection, type Trust, trustedSkills } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** Returns where a run finds skills and commands, and prints notes about untrusted files of the workspace. */
export async function skillsFor(
  context: CommandContext,
  selection: EnvironmentSelection,
  known?: Trust,
): Promise<AgentSkillsConfig> {
  const { skills, notes } = await trustedSkills(context, selection, known);
  for (const note of notes) context.stderr.write(`note: ${neutraliseControls(note)}\n`);
  return skills;
}
