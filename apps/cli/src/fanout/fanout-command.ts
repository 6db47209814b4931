import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { DeadTasksChoice } from "./dead-tasks.ts";
import type { PlanChoice } from "./plan-fanout.ts";
import type { RunFanoutChoice } from "./run-fanout.ts";

const RUN_HELP = `
Each record is written to the file of --out before its task counts as finished. Run the same command again to continue: tasks
with a record are not repeated. With --queue, workers (switchyard worker) on any machine execute the tasks.

Examples:
  switchyard fanout plan findings.json > plan.json
  switchyard fanout run plan.json --out run.json
  switchyard fanout run plan.json --out run.json --queue nats://127.0.0.1:4222/nightly`;

/** Adds the commands `fanout plan`, `run`, `reconcile` and `dead`. */
export function addFanoutCommand(program: Command, select: Select): void {
  const fanout = program
    .command("fanout")
    .description("Execute many agent tasks and collect the results.")
    .addHelpText("after", "\nExample:\n  switchyard fanout plan findings.json > plan.json");
  fanout
    .command("plan")
    .description("Plan the tasks of a configuration and print the plan, without executing it.")
    .argument("<config>", "configuration file, - for standard input")
    .option("--findings", "read the configuration as packets of findings")
    .addHelpText("after", "\nExample:\n  switchyard fanout plan findings.json > plan.json")
    .action((config: string, options: Omit<PlanChoice, "config">) => {
      select({
        printsJson: true,
        execute: async (context) => (await import("./plan-fanout.ts")).planFanout(context, { ...options, config }),
      });
    });
  fanout
    .command("run")
    .description("Execute the tasks of a plan with runtime packages and print the results.")
    .argument("<plan>", "plan file, - for standard input")
    .option("--out <file>", "file that stores the run; run the command again to continue from it")
    .option("--concurrency <number>", "maximum number of concurrent tasks, up to 16 (default: 3)")
    .option("--queue <url>", "execute the tasks with the workers of this queue: nats://HOST:PORT/NAME")
    .option("--trust-workspace", "include runtime packages of the current project")
    .option("--allow-git-push", "allow their commands to use git push")
    .addHelpText("after", RUN_HELP)
    .action((plan: string, options: Omit<RunFanoutChoice, "plan">) => {
      select({
        printsJson: true,
        execute: async (context) => (await import("./run-fanout.ts")).runFanout(context, { ...options, plan }),
      });
    });
  fanout
    .command("reconcile")
    .description("Compare the records of a run with its plan and print the result.")
    .argument("<plan>", "plan file")
    .argument("<run>", "file written by --out")
    .addHelpText("after", "\nExample:\n  switchyard fanout reconcile plan.json run.json")
    .action((plan: string, run: string) => {
      select({
        printsJson: true,
        execute: async (context) => (await import("./reconcile-fanout.ts")).reconcileFanout(context, { plan, run }),
      });
    });
  fanout
    .command("dead")
    .description("Print or requeue the tasks of a queue whose attempts all failed to finish.")
    .requiredOption("--queue <url>", "queue to read: nats://HOST:PORT/NAME")
    .option("--requeue", "requeue the tasks, each with all its attempts")
    .addHelpText("after", "\nExample:\n  switchyard fanout dead --queue nats://127.0.0.1:4222/nightly --requeue")
    .action((options: DeadTasksChoice) => {
      select({
        printsJson: true,
        execute: async (context) => (await import("./dead-tasks.ts")).deadTasks(context, options),
      });
    });
}
