import { resolve } from "node:path";
import type { AgentSkillsConfig, TrustedFiles } from "@switchyard/runner";
import { compareFiles, digestSkillFiles, inspectWorkspace, type Trust, workspaceTrust } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { type EnvironmentChoice, isOfThisMachine } from "../environment/environment-config.ts";

/** Files that a note names. */
const MAX_NAMED = 10;

/**
 * Where a run finds skills and commands: in the user's own folders, and in the workspace as far as it is trusted and on
 * this machine. `known` is the trust if it was determined already. architecture: decisions 20, 32.
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

/** Path of a file in a skill's folder, with that folder. */
const IN_SKILL = /^(\.[a-z]+\/skills\/[^/]+)\/./u;

/** Whether a file is missing from a skill that is still there: the skill is not what was trusted. */
function isMissing(path: string, found: TrustedFiles): boolean {
  const skill = IN_SKILL.exec(path)?.[1];
  return skill !== undefined && found.has(`${skill}/SKILL.md`);
}

/** Names the files of skills and commands that are new, have changed or are missing: what they belong to is not used. */
async function noteUntrusted(context: CommandContext, folder: string, trusted: TrustedFiles): Promise<void> {
  const found = await digestSkillFiles(context, folder).catch(() => undefined);
  if (found === undefined) return;
  for (const { message, details } of found.notices) {
    // Others are not used either, but the user never trusted them.
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

/** A folder that does not exist has no skills; the run itself reports that it is missing. */
async function trustIn(context: CommandContext, folder: string): Promise<Trust> {
  const found = await inspectWorkspace(folder).catch(() => undefined);
  return found === undefined ? "none" : workspaceTrust(context, found);
}
