import { resolve } from "node:path";
import type { AgentSkillsConfig, TrustedFiles } from "@switchyard/runner";
import { isOfThisMachine } from "../environment/environment-config.ts";
import type { EnvironmentSelection } from "../environment/environment-selection.ts";
import type { SettingsContext } from "../settings-context.ts";
import { compareFiles, type Trust } from "./compare-files.ts";
import { digestSkillFiles, inspectWorkspace, workspaceTrust } from "./trusted-workspaces.ts";

/** Maximum number of files that the note about untrusted files names. Further ones are only counted. */
const MAX_NAMED = 10;

/** Skills and commands that a run may use. */
export interface TrustedSkills {
  /** Where the run finds skills and commands: in the user's folders, and in trusted files of a local workspace. */
  readonly skills: AgentSkillsConfig;
  /** Notes for the user about files of the workspace that are not used. May contain control characters. */
  readonly notes: readonly string[];
}

/**
 * Determines which skills and commands a run may use. `known` is the result of an earlier trust check of the workspace,
 * if there was one. See architecture: decisions 20, 32.
 */
export async function trustedSkills(
  context: SettingsContext,
  { env = "local", workspace }: EnvironmentSelection,
  known?: Trust,
): Promise<TrustedSkills> {
  const folder = resolve(context.workingDirectory, workspace ?? ".");
  const trust = isOfThisMachine(env) ? (known ?? (await trustIn(context, folder))) : "none";
  const skills = { trusted: typeof trust === "string" ? trust === "all" : trust, userFolder: context.homeDirectory };
  return { skills, notes: typeof trust === "string" ? [] : await notesOf(context, folder, trust) };
}

/** Matches the path of a file in a skill's folder. The first group is the folder. */
const IN_SKILL = /^(\.[a-z]+\/skills\/[^/]+)\/./u;

/**
 * Returns whether a removed file belongs to a skill that still exists. Such a skill is incomplete and no longer the one
 * that the user trusted.
 */
function isMissing(path: string, found: TrustedFiles): boolean {
  const skill = IN_SKILL.exec(path)?.[1];
  return skill !== undefined && found.has(`${skill}/SKILL.md`);
}

/**
 * Returns notes that name new, changed and missing files of skills and commands. The skills and commands concerned are
 * not used.
 */
async function notesOf(context: SettingsContext, folder: string, trusted: TrustedFiles): Promise<string[]> {
  const found = await digestSkillFiles(context, folder).catch(() => undefined);
  if (found === undefined) return [];
  // Unreadable files that the user never trusted are not used, and the notes do not name them.
  const unreadable = found.notices.filter(({ details }) => trusted.has(String(Reflect.get(Object(details), "path"))));
  const notes = unreadable.map(({ message }) => message);
  const differing = compareFiles(trusted, found.files).filter(
    ({ path, change }) =>
      change === "new" || change === "changed" || (change === "removed" && isMissing(path, found.files)),
  );
  if (differing.length === 0) return notes;
  const named = differing.slice(0, MAX_NAMED).map(({ path, change }) => `${path} (${change})`);
  const more = differing.length - named.length;
  const files = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
  const what = `not used because new or changed since the folder was trusted: ${files}.`;
  return [...notes, `${what} Review them, then run \`switchyard trust\`.`];
}

/**
 * Determines which files of a folder the user trusts. A missing folder counts as untrusted; the run itself reports that
 * the folder is missing.
 */
async function trustIn(context: SettingsContext, folder: string): Promise<Trust> {
  const found = await inspectWorkspace(folder).catch(() => undefined);
  return found === undefined ? "none" : workspaceTrust(context, found);
}
