import { resolve } from "node:path";
import type { AgentSkillsConfig } from "@switchyard/runner";
import { type EnvironmentChoice, isOfThisMachine } from "../environment/environment-config.ts";
import type { World } from "../world/world.ts";
import { findWorkspace, type Trust, trustOf } from "./trusted-workspaces.ts";

/**
 * Where a run finds skills and commands: in the user's own folders, and in the workspace where it is trusted and of this
 * machine. `known` is how the folder stands when that was asked already. architecture: decision 20.
 */
export async function skillsFor(
  world: World,
  { place = "local", workspace }: EnvironmentChoice,
  known?: Trust,
): Promise<AgentSkillsConfig> {
  const trust = isOfThisMachine(place) ? (known ?? (await standing(world, workspace))) : "untrusted";
  return { trusted: trust === "trusted", userFolder: world.homeDirectory };
}

/** A folder that is not there has no skills; the run itself says that it is missing. */
async function standing(world: World, workspace: string | undefined): Promise<Trust> {
  const found = await findWorkspace(resolve(world.workingDirectory, workspace ?? ".")).catch(() => undefined);
  return found === undefined ? "untrusted" : trustOf(world, found);
}
