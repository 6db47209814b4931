import { type Command, InvalidArgumentError } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { BUDGETS_HELP } from "../budget/budgets-help.ts";
import { addEnvironmentOptions, ENVIRONMENTS_HELP } from "../environment/environment-options.ts";
import { collectText, parseSeconds } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import type { WorkerChoice } from "./worker-options.ts";

const EPILOGUE = `
Without --engine, the worker executes the tasks of \`switchyard fanout run --queue\` with runtime packages. With --engine, it
executes the runs of \`switchyard serve --queue\` that need one of its engines. If a worker dies, another worker continues its
task or run. A worker that is stopped returns unfinished tasks and runs to the queue.

Authenticate with NATS_TOKEN, or with NATS_USER and NATS_PASSWORD.

Examples:
  switchyard worker --queue nats://127.0.0.1:4222/nightly --concurrency 2
  switchyard worker --queue nats://127.0.0.1:4222/team --engine agent --engine ./engine.yaml --env sandbox --label zone=eu
  switchyard worker --queue nats://127.0.0.1:4222/team --engine agent --workspace app=/srv/app --repositories repositories.yaml`;

/** Adds the command `worker`. */
export function addWorkerCommand(program: Command, select: Select): void {
  const command = program
    .command("worker")
    .description("Execute tasks or runs of a queue until stopped.")
    .requiredOption("--queue <url>", "queue to take tasks or runs from: nats://HOST:PORT/NAME")
    .option("--concurrency <number>", "maximum number of concurrent tasks or runs", "1")
    .option("--lease <seconds>", "seconds without a heartbeat after which a task goes to another worker", "30")
    .option("--engine <name|file>", "execute runs with this engine; repeatable", collectText)
    .option("-m, --model <provider/name>", "model to use (default: SWITCHYARD_MODEL)")
    .option("--base-url <url>", "base URL of the model's API, version prefix included")
    .option(
      "--api-key <key>",
      "API key to use instead of the environment variable; other users of this machine may see it",
    )
    .option("--direct", "let the engine call models with the API key instead of through the model gateway")
    .option("--name <name>", "name of the worker (default: host name and process id)")
    .option("--label <name=value>", "label that runs can require; repeatable", collectLabel)
    .option("--workspace <name=folder>", "folder in which runs may work, one at a time; repeatable", collectLabel)
    .option(
      "--workspace-owners <name=owners>",
      "owners whose runs may work in the folder, such as alice,ci; * for all (default: local); repeatable",
      collectLabel,
    )
    .option("--dedicated", "take only runs that require every --label")
    .option("--timeout <time>", "maximum time limit of a run, whatever it requests, such as 5m or 1h", parseSeconds)
    .option("--max-runs <count>", "stop after this number of runs of --engine; exit code 3 if stopped earlier")
    .option("--repositories <file>", "YAML file with the git repositories that runs may use as their workspace")
    .option("--budgets <file>", BUDGETS_HELP)
    .option("--trust-workspace", "include runtime packages of the current project")
    .option("--allow-git-push", "allow commands of runtime packages to use git push")
    .option("--state <folder>", "folder for the files of runs (default: $XDG_STATE_HOME/switchyard)");
  addEnvironmentOptions(command);
  addApprovalOptions(command, { canAsk: false })
    .addHelpText("after", `${ENVIRONMENTS_HELP}\n${EPILOGUE}`)
    .action((options: WorkerChoice) => {
      select({
        printsJson: false,
        execute: async (context) => {
          if (options.engine === undefined) return (await import("../fanout/work.ts")).work(context, options);
          return (await import("./execute-worker.ts")).executeWorker(context, { ...options, engine: options.engine });
        },
      });
    });
}

function collectLabel(text: string, labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value = ""] = /^([^=\s]+)=(.*)$/u.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("Write name=value, for example zone=eu.");
  return { ...labels, [name]: value };
}
