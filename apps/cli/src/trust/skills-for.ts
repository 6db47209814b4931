import { resolve } from "node:path";
import type { AgentSkillsConfig, TrustedFiles } from "@switchyard/runner";
import {
  compareFiles,
  digestSkillFiles,
  type EnvironmentChoice,
  inspectWorkspace,
  isOfThisMachine,
  type Trust,
  workspaceTrust,
} from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** Maximum number of files that the note about untrusted files names. */
const MAX_NAMED = 10;

/**
 * Returns where a run finds skills and commands: in the user's folders, and in trusted files of a local workspace.
 * `known` is the trust of the workspace if it was already determined. Prints a note about untrusted files. See
 * architecture: decisions 20, 32.
 */
export async function skillsFor(
  context: CommandContext,
  { env = "local", workspace }: EnvironmentChoice,
  known?: Trust,
): Promise<AgentSkillsConfig> {
  const folder = resolve(context.workingDirectory, workspace ?? ".");
  const trust = isOfThisMachine(env) ? (known ?? (await trustIn(context, folder))) : "none";
  if (typeof trust !== "string") await noteUntrusted(context, folder, trust);
  const trusted = typeof trust === "string" ? trust === "all" : trust;
  return { trusted, userFolder: context.homeDirectory };
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
 * Prints a note that names new, changed and missing files of skills and commands. The skills and commands concerned are
 * not used.
 */
async function noteUntrusted(context: CommandContext, folder: string, trusted: TrustedFiles): Promise<void> {
  const found = await digestSkillFiles(context, folder).catch(() => undefined);
  if (found === undefined) return;
  for (const { message, details } of found.notices) {
    // Unreadable files that the user never trusted are not used either, but the note does not name them.
    if (trusted.has(String(Reflect.get(Object(details), "path"))))
      context.stderr.write(`note: ${neutraliseControls(message)}\n`);
  }
  const differing = compareFiles(trusted, found.files).filter(
    ({ path, change }) =>
      change === "new" || change === "changed" || (change === "removed" && isMissing(path, found.files)),
  );
  if (differing.length === 0) return;
  const named = differing.slice(0, MAX_NAMED).map(({ path, change }) => `${path} (${change})`);
  const more = differing.length - named.length;
  const files = neutraliseControls([...named, ...(more > 0 ? [`and ${more} more`] : [])].join(", "));
  context.stderr.write(
    `note: not used because new or changed since the folder was trusted: ${files}. Review them, then run \`switchyard trust\`.\n`,
  );
}

/**
 * Determines which files of a folder the user trusts. A missing folder counts as untrusted; the run itself reports that
 * the folder is missing.
 */
async function trustIn(context: CommandContext, folder: string): Promise<Trust> {
  const found = await inspectWorkspace(folder).catch(() => undefined);
  return found === undefined ? "none" : workspaceTrust(context, found);
}
