import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import { parsePlace } from "./parse-place.ts";

/** Options that select the environment of a run. */
export interface EnvironmentOptions {
  /** Environment, as it was typed: `local`, `docker:IMAGE`, … Default: `local`. */
  env?: string | undefined;
  /** Network of its commands. */
  envNetwork?: string | undefined;
  /** Maximum memory of a new container or pod, such as `512m`. */
  envMemory?: string | undefined;
  /** User of its commands in a container. */
  envUser?: string | undefined;
}

/** How places are written, for help texts. */
export const PLACES_HELP = `
Places for --env:
  local                            this machine, as you (default)
  sandbox                          this machine, writing to the workspace alone, without a network (Linux)
  memory                           a copy of the workspace in memory, with an emulated shell
  docker:IMAGE                     a container made from an image, with the workspace mounted
  docker:@CONTAINER[:/folder]      a container that runs already
  ssh:[USER@]HOST[:PORT][/folder]  another machine, by your OpenSSH configuration
  k8s:IMAGE                        a pod made from an image, with a copy of the workspace
  k8s:@POD[/CONTAINER][:/folder]   a pod that runs already

\`switchyard doctor\` says what each of them needs.`;

/** Adds the options to a command. */
export function addEnvironmentOptions(command: Command): Command {
  return command
    .option("--env <place>", "where files and commands live: local, sandbox, docker:IMAGE, ssh:HOST, …", checkPlace)
    .option("--env-network <network>", "network of sandbox and docker:IMAGE: none (default), allow, a network's name")
    .option("--env-memory <size>", "most memory of docker:IMAGE and k8s:IMAGE, such as 512m or 4g (default: 2g)", sized)
    .option("--env-user <user>", "user in docker: caller (default for docker:IMAGE), image, or UID[:GID]");
}

/** Checked where it is typed, kept as it is. */
export function checkPlace(text: string): string {
  const place = parsePlace(text);
  if ("problem" in place) throw new InvalidArgumentError(place.problem);
  return text;
}

function sized(text: string): string {
  if (!/^[1-9]\d{0,5}[mg]$/.test(text)) throw new InvalidArgumentError("Write a size such as 512m or 4g.");
  return text;
}
