import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { GitRepository } from "./git-repository.ts";

/**
 * Returns an object that takes the place of a git repository, for a folder that is in no repository or is ignored by
 * its repository.
 */
export function plainRepository(environment: ExecutionEnvironment): GitRepository {
  const top = environment.workingDirectory;
  return { top, objectFormat: "sha1", objects: "", index: "", exclude: "/dev/null", isPlain: true };
}
