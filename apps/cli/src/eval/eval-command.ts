import { PERMISSION_MODES } from "@switchyard/settings";
import { type Command, InvalidArgumentError, Option } from "commander";
import { BUDGETS_HELP } from "../budget/budgets-help.ts";
import { addEnvironmentOptions } from "../environment/environment-options.ts";
import { parseCount } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import { addCompareCommand } from "./compare-command.ts";
import type { EvalOptions } from "./eval-options.ts";

const EPILOGUE = `
Examples:
  switchyard eval eval.yaml
  switchyard eval eval.yaml --filter 'fix-*' --iterations 1 --concurrency 4
  switchyard eval eval.yaml --add-engine ./my-engine.yaml --output results
  switchyard eval eval.yaml --output results --resume
  switchyard eval eval.yaml --output results --resume --iterations 10
  switchyard eval eval.yaml --env docker:node:22 --fail-fast
  switchyard eval eval.yaml --mode plan
  switchyard eval path/to/tasks --engine oracle
  switchyard eval compare base new --gate

Each run gets a separate environment. Tasks in Harbor's format run in containers of their own images.
The output folder has results.json, junit.xml, report.html, and the folder of each run.

Exit codes: 0 every run passed, 1 some failed, 2 nothing started, 3 some ended in errors or were skipped, 4 output lost,
130 stopped by Ctrl-C. Press Ctrl-C once to stop cleanly, twice to stop immediately; --resume continues.`;

/** Adds the command `eval`. */
export function addEvalCommand(program: Command, select: Select): void {
  const command = program
    .command("eval")
    .description("Run cases with several engines and compare them.")
    .argument("<file>", "evaluation file, YAML or JSON, or a folder with Harbor tasks")
    // Options after `compare` belong to the subcommand, although some have the same names.
    .enablePositionalOptions()
    .helpCommand(false)
    .option(
      "--filter <case>",
      "run only cases whose id contains this text or matches this * pattern; repeatable",
      addWord,
    )
    .option("--tag <tag>", "run only cases with this tag; repeatable", addWord)
    .option("--engine <name>", "run only this engine: an id in the file, an engine name or a file; repeatable", addWord)
    .option("--add-engine <name>", "run this engine in addition to those in the file; repeatable", addWord)
    .option("--iterations <count>", "number of times to run each case", parseNumber)
    .option("--concurrency <count>", "maximum number of concurrent sessions", parseNumber)
    .option("-m, --model <provider/name>", "model of the built-in agent if the file names none")
    .option("--base-url <url>", "base URL of that model's API")
    .option("--direct", "let the engines call models with the API key instead of through the model gateway")
    .option("-o, --output <folder>", "folder for results and runs (default: a new one in the state folder)")
    .option("--resume", "continue in the output folder; keep results that passed or failed")
    .option("--fail-fast", "start no more runs after the first that does not pass")
    .option("--until-significant", "stop when two engines differ beyond chance, or are unlikely to (sequential test)")
    .addOption(
      new Option("--keep-workspaces <which>", "workspaces to keep (default: failed)").choices([
        "failed",
        "all",
        "none",
      ]),
    )
    .addOption(
      new Option(
        "--mode <mode>",
        "permissions of all engines. plan: read-only; ask: deny changes; auto: allow all (default: all that an engine's settings do not restrict)",
      ).choices(Object.keys(PERMISSION_MODES)),
    )
    .option("--trust-workspace", "include adapters from this folder's packages; runs their code")
    .option("--json", "print the results as one JSON document");
  addCompareCommand(command, select);
  addEnvironmentOptions(command, "local (default), sandbox, memory, docker:IMAGE, k8s:IMAGE")
    .option("--state <folder>", "folder for results when --output is not given (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", "broker that stores the usage of --budgets instead of the folder: nats://HOST:PORT/NAME")
    .option("--budgets <file>", BUDGETS_HELP)
    .addHelpText("after", EPILOGUE)
    .action((file: string, options: Omit<EvalOptions, "file">) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./execute-eval.ts")).executeEval(context, { ...options, file }),
      });
    });
}

function addWord(word: string, before: string[] = []): string[] {
  return [...before, word];
}

function parseNumber(text: string): number {
  const count = parseCount(text);
  if (count === 0) throw new InvalidArgumentError("Write a whole number, 1 or more.");
  return count;
}
