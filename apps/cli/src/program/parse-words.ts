import { Command, CommanderError } from "commander";
import { addDemoCommand } from "../demo/demo-command.ts";
import { addDoctorCommand } from "../doctor/doctor-command.ts";
import { addEvalCommand } from "../eval/eval-command.ts";
import { addResumeCommand } from "../resume/resume-command.ts";
import { addRunCommand } from "../run/run-command.ts";
import { addRunsCommand } from "../runs/runs-command.ts";
import { addToolsCommand } from "../tools/tools-command.ts";
import { addValidateCommand } from "../validate/validate-command.ts";
import { addVerifyCommand } from "../verify/verify-command.ts";
import type { World } from "../world/world.ts";
import type { SelectedCommand } from "./selected-command.ts";
import { toUsageError } from "./usage-error.ts";

const EPILOGUE = `
Examples:
  switchyard run --model anthropic/claude-sonnet-4-5 "Fix the failing test"
  switchyard demo

Exit codes: 0 done, 1 the task failed, 2 usage or configuration, 3 engine error, 130 interrupted.
API keys come from the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY.`;

/**
 * Finds the command that the words ask for, with its options; nothing when they ask for help or the version, which
 * is printed. Throws `usage.invalid`.
 */
export async function parseWords(world: World): Promise<SelectedCommand | undefined> {
  let selected: SelectedCommand | undefined;
  const program = createProgram(world);
  const select = (command: SelectedCommand): void => {
    selected = command;
  };
  for (const add of [
    addRunCommand,
    addResumeCommand,
    addRunsCommand,
    addEvalCommand,
    addToolsCommand,
    addValidateCommand,
    addVerifyCommand,
    addDoctorCommand,
    addDemoCommand,
  ]) {
    add(program, select);
  }
  finish(program, "");
  try {
    await program.parseAsync([...world.words], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    throw error;
  }
  return selected;
}

function createProgram(world: World): Command {
  return new Command("switchyard")
    .description("Runs any coding agent, anywhere, behind one contract.")
    .version(world.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .showSuggestionAfterError(true)
    .configureOutput({ writeOut: (text) => world.stdout.write(text), writeErr: () => {}, outputError: () => {} })
    .configureHelp({ showGlobalOptions: false, helpWidth: Math.min(world.stdout.columns, 110) })
    .addHelpText("after", EPILOGUE);
}

// Settings are inherited when a command is made, so what depends on its name is set once all of them exist.
function finish(command: Command, path: string): void {
  if (command.commands.length === 0) command.option("--debug", "print stack traces");
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : toUsageError(error, path);
  });
  for (const child of command.commands) finish(child, `${path} ${child.name()}`.trim());
}
