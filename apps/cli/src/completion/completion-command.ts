import { SHELLS, type Shell } from "@switchyard/terminal";
import { Argument, type Command } from "commander";
import type { Select } from "../program/selected-command.ts";

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
      select(async (context) => (await import("./print-completions.ts")).printScript(context, shell));
    });
  program
    .command("complete", { hidden: true })
    .description("Print completions of the last word, for the completion scripts.")
    .argument("[words...]", "words after switchyard; the last one is completed")
    .addHelpText("after", '\nExample:\n  switchyard complete -- run --mo\n  switchyard complete -- runs ""')
    .action((words: string[]) => {
      select(async (context) => (await import("./print-completions.ts")).printCompletions(context, program, words));
    });
}
