import { parseEnvironmentName } from "@switchyard/environment";
import type { Command } from "commander";
import { InvalidArgumentError } from "commander";

/** Help text that lists the possible values of `--env`. */
export const ENVIRONMENTS_HELP = `
Environments for --env:
  local                            this machine, with your permissions
  sandbox                          this machine; can write only to the workspace, has no network (Linux)
  memory                           a copy of the workspace in memory, with an emulated shell
  docker:IMAGE                     a new container, with the workspace mounted
  docker:@CONTAINER[:/folder]      a running container
  ssh:[USER@]HOST[:PORT][/folder]  another machine, through your OpenSSH configuration
  k8s:IMAGE                        a new pod, with a copy of the workspace
  k8s:@POD[/CONTAINER][:/folder]   a running pod

\`switchyard doctor\` shows what each environment needs.`;

/** Help text about the environment of a run for which the user chose none. */
export const RUN_ENVIRONMENT_HELP = `
Without --env, SWITCHYARD_ENV or \`env\` in your settings, a run on a terminal uses local, and a run without a terminal uses
sandbox. If no sandbox can be created, the command exits with 2; --env local then runs commands with your permissions.`;

/** Environments that most commands accept, for the help. */
const EVERY_ENVIRONMENT = "local (default), sandbox, docker:IMAGE, ssh:HOST, …";

/** Adds the environment options to a command. `environments`: the environments that the command accepts, for its help. */
export function addEnvironmentOptions(command: Command, environments: string = EVERY_ENVIRONMENT): Command {
  return command
    .option("--env <environment>", `where files and commands live: ${environments}`, checkEnvironment)
    .option(
      "--env-network <network>",
      "network of sandbox and docker:IMAGE: none (default), allow, list:HOST,… or the name of a network",
    )
    .option(
      "--env-memory <size>",
      "memory limit of docker:IMAGE and k8s:IMAGE, such as 512m or 4g (default: 2g)",
      sized,
    )
    .option("--env-user <user>", "user in docker: caller (default for docker:IMAGE), image, or UID[:GID]");
}

/** Validates the name of an environment and returns it unchanged. */
export function checkEnvironment(text: string): string {
  const parsed = parseEnvironmentName(text);
  if ("problem" in parsed) throw new InvalidArgumentError(parsed.problem);
  return text;
}

function sized(text: string): string {
  if (!/^[1-9]\d{0,5}[mg]$/.test(text)) throw new InvalidArgumentError("Write a size such as 512m or 4g.");
  return text;
}
