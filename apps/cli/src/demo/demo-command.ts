import { type Command, Option } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { DemoOptions } from "./demo-options.ts";

const EPILOGUE = `
Examples:
  switchyard demo
  ANTHROPIC_API_KEY=… switchyard demo --live

Everything but the model is real. With --live a real model does the work; it needs ANTHROPIC_API_KEY,
OPENAI_API_KEY or GEMINI_API_KEY.`;

/** Adds the command `demo`. */
export function addDemoCommand(program: Command, select: Select): void {
  program
    .command("demo")
    .description("See an agent fix a failing test; its model is a recording unless --live is given.")
    .option("--live", "let a real model do the work")
    .option("-m, --model <provider/name>", "model of a live demo (default: one of the provider whose key is set)")
    .option("--state <folder>", "folder for run folders (default: $XDG_STATE_HOME/switchyard)")
    .addOption(new Option("--update-recording <file>", "write the recording anew with this run's requests").hideHelp())
    .addHelpText("after", EPILOGUE)
    .action((options: DemoOptions) => {
      select({
        printsJson: false,
        execute: async (context) => (await import("./run-demo.ts")).runDemo(context, options),
      });
    });
}
