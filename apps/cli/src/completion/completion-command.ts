import { Argument, type Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import { SHELLS, type Shell } from "./shells.ts";

const EPILOGUE = `
Examples:
  source <(switchyard completion bash)      # in ~/.bashrc
  source <(switchyard completion zsh)       # in ~/.zshrc, after compinit
  switchyard completion fish | source       # in ~/.config/fish/config.fish`;

/** Adds the command `completion`, and the hidden command that shell completion scripts call. */
export function addCompletionCommand(program: Command, select: Select): void {
  program
    .command("completion")
    .description("Print the completion script for a shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText("after", EPILOGUE)
    .action((shell: Shell) => {
      select({
        printsJson: false,
        execute: async (context) => {
          const { COMPLETION_SCRIPTS } = await import("./completion-scripts.ts");
          context.stdout.write(COMPLETION_SCRIPTS[shell]);
          return 0;
        },
      });
    });
  program
    .command("complete", { hidden: true })
    .description("Print completions of the last word, for the completion scripts.")
    .argument("[words...]", "words after switchyard; the last one is completed")
    .addHelpText("after", '\nExample:\n  switchyard complete -- run --mo\n  switchyard complete -- runs ""')
    .action((words: string[]) => {
      select({
        printsJson: false,
        execute: async (context) => {
          const { completeWords } = await import("./complete-words.ts");
          context.stdout.write(await completeWords(context, program, words));
          return 0;
        },
      });
    });
}
