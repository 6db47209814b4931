import { EXIT_CODES } from "@switchyard/contracts";
import { Command, CommanderError } from "commander";
import { addAcpCommand } from "../acp/acp-command.ts";
import { addBudgetCommand } from "../budget/budget-command.ts";
import { canChat } from "../chat/can-chat.ts";
import { addChatCommand } from "../chat/chat-command.ts";
import { addClusterCommand } from "../cluster/cluster-command.ts";
import { addCompletionCommand } from "../completion/completion-command.ts";
import { applyConfig } from "../config/apply-config.ts";
import { addConfigCommand } from "../config/config-command.ts";
import type { CommandContext } from "../context/command-context.ts";
import { addContractCommand } from "../contract/contract-command.ts";
import { addDemoCommand } from "../demo/demo-command.ts";
import { addDoctorCommand } from "../doctor/doctor-command.ts";
import { addEnginesCommand } from "../engines/engines-command.ts";
import { addEvalCommand } from "../eval/eval-command.ts";
import { addFanoutCommand } from "../fanout/fanout-command.ts";
import { addInitCommand } from "../init/init-command.ts";
import { addMcpCommand } from "../mcp-server/mcp-command.ts";
import { addModelsCommand } from "../models/models-command.ts";
import { addReplayCommand } from "../replay/replay-command.ts";
import { addResumeCommand } from "../resume/resume-command.ts";
import { addRunCommand } from "../run/run-command.ts";
import { addRunsCommand } from "../runs/runs-command.ts";
import { addRuntimesCommand } from "../runtimes/runtimes-command.ts";
import { addServeCommand } from "../serve/serve-command.ts";
import { addToolsCommand } from "../tools/tools-command.ts";
import { addTrustCommand } from "../trust/trust-command.ts";
import { addUndoCommand } from "../undo/undo-command.ts";
import { addValidateCommand } from "../validate/validate-command.ts";
import { addVerifyCommand } from "../verify/verify-command.ts";
import { addWorkerCommand } from "../worker/worker-command.ts";
import { arrangeHelp, groupInOrder, OTHER_COMMANDS } from "./help-groups.ts";
import { refuseEmpty } from "./option-value.ts";
import type { Select, SelectedCommand } from "./selected-command.ts";
import { startWithoutWords } from "./start-without-words.ts";
import { toUsageError } from "./usage-error.ts";

const EPILOGUE = `
Examples:
  switchyard demo
  switchyard run --model anthropic/claude-sonnet-5-5 "Fix the failing test"
  switchyard run --engine claude-code "Fix the failing test"

Exit codes: ${EXIT_CODES.map(({ code, name }) => `${code} ${name}`).join(", ")}.
API keys are read from environment variables: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY.`;

/**
 * Parses the command line and returns the selected command with its options. `undefined` if help or the version was
 * requested, which is then printed. Throws `usage.invalid`.
 */
export async function parseWords(context: CommandContext): Promise<SelectedCommand | undefined> {
  if (context.words.length === 0) {
    // On a terminal, the command without arguments opens an interactive session.
    if (canChat(context)) return parseWords({ ...context, words: ["chat"] });
    return { execute: startWithoutWords };
  }
  let selected: SelectedCommand | undefined;
  let typed: Command | undefined;
  const program = createProgram(context);
  const select: Select = (command) => {
    selected = typeof command === "function" ? { execute: command } : command;
  };
  for (const add of [
    addRunCommand,
    addChatCommand,
    addResumeCommand,
    addUndoCommand,
    addRunsCommand,
    addReplayCommand,
    addEvalCommand,
    addDemoCommand,
    addInitCommand,
    addConfigCommand,
    addTrustCommand,
    addEnginesCommand,
    addModelsCommand,
    addDoctorCommand,
    addCompletionCommand,
    addServeCommand,
    addAcpCommand,
    addMcpCommand,
    addFanoutCommand,
    addWorkerCommand,
    addClusterCommand,
    addBudgetCommand,
    addRuntimesCommand,
    addVerifyCommand,
    addValidateCommand,
    addContractCommand,
    addToolsCommand,
  ]) {
    add(program, select);
  }
  finish(program, "");
  program.hook("preAction", (_, action) => {
    typed = action;
  });
  try {
    await program.parseAsync([...context.words], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    throw error;
  }
  return selected === undefined || typed === undefined ? selected : withConfig(selected, typed);
}

/**
 * Wraps a command so that settings files provide the missing options when the command starts. Errors in settings files
 * are then reported like other errors of the command.
 */
function withConfig({ printsJson, execute }: SelectedCommand, typed: Command): SelectedCommand {
  return {
    printsJson: printsJson ?? typed.getOptionValue("json") === true,
    execute: async (context) => {
      await applyConfig(context, typed);
      return execute(context);
    },
  };
}

function createProgram(context: CommandContext): Command {
  return new Command("switchyard")
    .description("Runs any coding agent, anywhere, behind one contract.")
    .version(context.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .commandsGroup(OTHER_COMMANDS)
    .helpCommand("help [command]", "print help for a command")
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
    .configureOutput({ writeOut: (text) => context.stdout.write(text), writeErr: () => {}, outputError: () => {} })
    .configureHelp({
      showGlobalOptions: false,
      helpWidth: Math.min(context.stdout.columns, 110),
      groupItems: groupInOrder,
    })
    .addHelpText("after", EPILOGUE);
}

/** Returns the names of the visible subcommands. */
function namesBelow(command: Command): string[] {
  const shown = command.createHelp().visibleCommands(command);
  return shown.map((child) => child.name()).filter((name) => name !== "help");
}

// Commander copies a command's configuration when a subcommand is created.
// Configuration that depends on the subcommand's name is therefore applied after all subcommands exist.
function finish(command: Command, path: string): void {
  const isRunnable = command.commands.length === 0 || command.registeredArguments.length > 0;
  if (isRunnable) command.option("--debug", "print stack traces");
  command.options.forEach(refuseEmpty);
  arrangeHelp(command, path);
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : toUsageError(error, { path, commands: namesBelow(command) });
  });
  for (const child of command.commands) finish(child, `${path} ${child.name()}`.trim());
}
