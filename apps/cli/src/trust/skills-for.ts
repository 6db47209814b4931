import { resolve } from "node:path";
import type { AgentSkillsConfig } from "@switchyard/runner";
import { type EnvironmentChoice, isOfThisMachine } from "../environment/environment-config.ts";
import type { World } from "../world/world.ts";
import type { Trust } from "./trusted-files.ts";
import { findWorkspace, trustOf } from "./trusted-workspaces.ts";

/**
 * Where a run finds skills and commands: in the user's own folders, and in the workspace as far as it is trusted and on
 * this machine. `known` is the trust if it was determined already. architecture: decisions 20, 32.
 */
export async function skillsFor(
  world: World,
  { place = "local", workspace }: EnvironmentChoice,
  known?: Trust,
): Promise<AgentSkillsConfig> {
  const trust = isOfThisMachine(place) ? (known ?? (await trustIn(world, workspace))) : "none";
  const trusted = typeof trust === "string" ? trust === "all" : trust;
  return { trusted, userFolder: world.homeDirectory };
}

/** A folder that does not exist has no skills; the run itself reports that it is missing. */
async function trustIn(world: World, workspace: string | undefined): Promise<Trust> {
  const found = await findWorkspace(resolve(world.workingDirectory, workspace ?? ".")).catch(() => undefined);
  return found === undefined ? "none" : trustOf(world, found);
}
