import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { UndoOptions } from "./undo-options.ts";

const EPILOGUE = `
Restores the exact contents, permissions and links of files. A file cannot be restored if it was edited in the same lines
since, or was too large to be stored. Then nothing is changed and the file is named; --partial restores the others. Files that
git ignores are not restored; those that the run changed are listed. Commits, branches and staged changes are kept unless you
give --commits. Changes outside the run's workspace cannot be undone.

Examples:
  switchyard undo 01JD
  switchyard undo 01JD --dry-run
  switchyard undo 01JD --commits`;

/** Adds the command `undo`. */
export function addUndoCommand(program: Command, select: Select): void {
  program
    .command("undo")
    .description("Revert the changes that a run made to its workspace.")
    .argument("<run>", "id of the run, a unique prefix of it, or `last`")
    .option("--dry-run", "only print what would be reverted, and whether it is possible")
    .option("--commits", "also restore branches, tags, HEAD and the index")
    .option("--partial", "restore the files that can be restored, even if others cannot")
    .option("--json", "print JSON")
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .addHelpText("after", EPILOGUE)
    .action((id: string, options: UndoOptions) => {
      select(async (context) => {
        const exitCode = await (await import("./execute-undo.ts")).executeUndo(context, id, options);
        if (options.dryRun !== true) {
          context.progress.hasStarted = true;
          context.progress.keptAt = `The changes of ${id} are reverted.`;
        }
        return exitCode;
      });
    });
}
