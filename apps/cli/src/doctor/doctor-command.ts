import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import { type PlaceName, parsePlaceName } from "./place-names.ts";

/** Adds the command `doctor`. */
export function addDoctorCommand(program: Command, select: Select): void {
  program
    .command("doctor")
    .description("Say what is there for each place a run can live in, and what is missing.")
    .argument("[place...]", "local, sandbox, docker, k8s, ssh, memory (default: all)", parsePlaceName)
    .option("--json", "print the findings as JSON")
    .addHelpText(
      "after",
      `
Asks docker or podman and kubectl whether what they are set up for answers; makes and changes nothing.
Exits with 1 when a place that is named is not ready.

Examples:
  switchyard doctor
  switchyard doctor sandbox docker`,
    )
    .action((places: PlaceName[], options: { json?: boolean }) => {
      select({
        printsJson: options.json === true,
        execute: async (context) =>
          (await import("./examine-places.ts")).examinePlaces(context, { ...options, places }),
      });
    });
}
