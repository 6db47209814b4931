import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import { type EnvironmentKind, parseEnvironmentKind } from "./environment-kinds.ts";

/** Adds the command `doctor`. */
export function addDoctorCommand(program: Command, select: Select): void {
  program
    .command("doctor")
    .description("Check what each environment needs on this machine.")
    .argument("[environment...]", "local, sandbox, docker, k8s, ssh, memory (default: all)", parseEnvironmentKind)
    .option("--json", "print the results as JSON")
    .addHelpText(
      "after",
      `
Contacts the container engine of docker or podman and the cluster of kubectl; creates and changes nothing.
Exits with 1 if an environment named on the command line is not ready.

Examples:
  switchyard doctor
  switchyard doctor sandbox docker`,
    )
    .action((environments: EnvironmentKind[], options: { json?: boolean }) => {
      select(async (context) =>
        (await import("./check-environments.ts")).checkEnvironments(context, { ...options, environments }),
      );
    });
}
