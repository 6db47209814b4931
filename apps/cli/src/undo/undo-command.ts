import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";

/** Options of the command `undo`. */
export interface UndoOptions {
  /** Whether it is only said what would happen. */
  dryRun?: boolean;
  /** Whether JSON is printed. */
  json?: boolean;
  /** Folder with the run folders. */
  state?: string;
}

const EPILOGUE = `
Files are as they were before the run, or nothing is changed: what was edited since in the same place keeps it from being
undone. Only changes in the folder of the run can be taken back, not what commands did elsewhere.

Examples:
  switchyard undo 01JD
  switchyard undo 01JD --dry-run`;

/** Adds the command `undo`. */
export function addUndoCommand(program: Command, select: Select): void {
  program
    .command("undo")
    .description("Take the changes of a run to its workspace back.")
    .argument("<run>", "id of the run, or its beginning")
    .option("--dry-run", "only say what would be taken back, and whether it can be")
    .option("--json", "print JSON")
    .option("--state <folder>", "folder with the run folders (default: $XDG_STATE_HOME/switchyard)")
    .addHelpText("after", EPILOGUE)
    .action((id: string, options: UndoOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (world) => {
          const exitCode = await (await import("./execute-undo.ts")).executeUndo(world, id, options);
          if (options.dryRun !== true) {
            world.progress.hasStarted = true;
            world.progress.keptAt = `The changes of ${id} are reverted.`;
          }
          return exitCode;
        },
      });
    });
}
