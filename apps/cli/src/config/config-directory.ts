import { isAbsolute, join } from "node:path";
import type { World } from "../world/world.ts";

/** Absolute path of the user's folder of settings of this program. */
export function configDirectory({ env, homeDirectory }: Pick<World, "env" | "homeDirectory">): string {
  const base = env["XDG_CONFIG_HOME"] ?? "";
  // The XDG specification has relative paths ignored.
  return join(isAbsolute(base) ? base : join(homeDirectory, ".config"), "switchyard");
}
