import { type Command, Option } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { DemoOptions } from "./demo-options.ts";

const EPILOGUE = `
Examples:
  switchyard demo
  ANTHROPIC_API_KEY=… switchyard demo --live

By default, the model is a recording; everything else is real. --live uses a real model and needs ANTHROPIC_API_KEY,
OPENAI_API_KEY or GEMINI_API_KEY.`;

/** Adds the command `demo`. */
export function addDemoCommand(program: Command, select: Select): void {
  program
    .command("demo")
    .description("Watch an agent fix a failing test, with a recorded model by default.")
    .option("--live", "use a real model")
    .option("-m, --model <provider/name>", "model for --live (default: a model of the provider whose key is set)")
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .addOption(new Option("--update-recording <file>", "rewrite the recording with this run's requests").hideHelp())
    .addHelpText("after", EPILOGUE)
    .action((options: DemoOptions) => {
      select(async (context) => (await import("./run-demo.ts")).runDemo(context, options));
    });
}
