import { type ExecutionEnvironment, isoTime } from "@switchyard/contracts";
import type { ProviderProfile } from "../profile/provider-profile.ts";
import type { GitSnapshot } from "./git-snapshot.ts";

/** Options for `environmentContext`. */
export interface EnvironmentContextOptions {
  readonly profile: ProviderProfile;
  /** Model id. Default: the profile's model. */
  readonly model?: string | undefined;
  readonly environment: ExecutionEnvironment;
  readonly git: GitSnapshot | undefined;
  readonly now: () => number;
}

function environmentBlock({ profile, model, environment, git, now }: EnvironmentContextOptions): string {
  return [
    "<environment>",
    `Working directory: ${environment.workingDirectory}`,
    `Is git repository: ${git !== undefined}`,
    `Git branch: ${git?.branch ?? "none"}`,
    `Platform: ${environment.platform}`,
    `OS version: ${environment.osVersion}`,
    `Today's date: ${isoTime(now()).slice(0, 10)}`,
    `Model: ${model === undefined || model === profile.model ? profile.modelDisplayName : model}`,
    `Knowledge cutoff: ${profile.knowledgeCutoff ?? "unknown"}`,
    "</environment>",
  ].join("\n");
}

function gitBlock(git: GitSnapshot): string {
  const commits = git.commits.map((subject) => `- ${subject}`);
  return [
    "<git>",
    "State of the repository when the session began; run git yourself for the current one.",
    `Branch: ${git.branch}`,
    `Modified files: ${git.modified}`,
    `Untracked files: ${git.untracked}`,
    commits.length === 0 ? "Recent commits: none" : "Recent commits:",
    ...commits,
    "</git>",
  ].join("\n");
}

/** Returns the environment block and, in a git repository, the git block. See loop: §6.3, §6.4. */
export function environmentContext(options: EnvironmentContextOptions): string {
  const block = environmentBlock(options);
  return options.git === undefined ? block : `${block}\n\n${gitBlock(options.git)}`;
}
