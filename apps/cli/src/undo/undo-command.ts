import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { UndoOptions } from "./undo-options.ts";

const EPILOGUE = `
Restores contents, permissions and links of files, byte by byte. If one file cannot be restored, because it was edited since
in the same place or is too large to be stored, nothing is changed and the file is named; --partial restores the others.
Files that git ignores are not restored; those that the run changed are listed. Commits, branches and staged changes stay
unless you give --commits. Changes outside of the run's workspace cannot be undone.

Examples:
  switchyard undo 01JD
  switchyard undo 01JD --dry-run
  switchyard undo 01JD --commits`;

/** Adds the command `undo`. */
export function addUndoCommand(program: Command, select: Select): void {
  program
    .command("undo")
    .description("Revert the changes that a run made to its workspace.")
    .argument("<run>", "id of the run, or its beginning")
    .option("--dry-run", "only print what would be reverted, and whether it can be")
    .option("--commits", "also restore branches, tags, HEAD and the index")
    .option("--partial", "restore what can be restored, although some files cannot")
    .option("--json", "print JSON")
    .option("--state <folder>", "folder with the run folders (default: $XDG_STATE_HOME/switchyard)")
    .addHelpText("after", EPILOGUE)
    .action((id: string, options: UndoOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => {
          const exitCode = await (await import("./execute-undo.ts")).executeUndo(context, id, options);
          if (options.dryRun !== true) {
            context.progress.hasStarted = true;
            context.progress.keptAt = `The changes of ${id} are reverted.`;
          }
          return exitCode;
        },
      });
    });
}
