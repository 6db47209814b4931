import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { DeadTasksChoice } from "./dead-tasks.ts";
import type { PlanChoice } from "./plan-fanout.ts";
import type { RunFanoutChoice } from "./run-fanout.ts";
import type { WorkerChoice } from "./work.ts";

const RUN_HELP = `
Each record is kept in the file of --out before its task counts as over: run the same command again, and tasks with a
record are not repeated. With --queue, tasks are executed by workers (switchyard worker), on this machine or others.

Examples:
  switchyard fanout plan findings.json > plan.json
  switchyard fanout run plan.json --out run.json
  switchyard fanout run plan.json --out run.json --queue nats://127.0.0.1:4222/nightly`;

const WORKER_HELP = `
Takes tasks until it is stopped; what it works on then goes to another worker. A worker that dies loses its task after
--lease. Sign in with NATS_TOKEN, or with NATS_USER and NATS_PASSWORD.

Example:
  switchyard worker --queue nats://127.0.0.1:4222/nightly --concurrency 2`;

/** Adds the commands `fanout plan`, `run`, `reconcile` and `dead`, and `worker`. */
export function addFanoutCommand(program: Command, select: Select): void {
  const fanout = program
    .command("fanout")
    .description("Execute many agent tasks, and hold what came of them together.")
    .addHelpText("after", "\nExample:\n  switchyard fanout plan findings.json > plan.json");
  fanout
    .command("plan")
    .description("Plan the tasks of a configuration and print the plan; nothing is executed.")
    .argument("<config>", "file with the configuration, or -")
    .option("--findings", "the configuration has packets of findings")
    .addHelpText("after", "\nExample:\n  switchyard fanout plan findings.json > plan.json")
    .action((config: string, options: Omit<PlanChoice, "config">) => {
      select({
        printsJson: true,
        execute: async (context) => (await import("./plan-fanout.ts")).planFanout(context, { ...options, config }),
      });
    });
  fanout
    .command("run")
    .description("Execute the tasks of a plan with runtime packages, and print what came of them.")
    .argument("<plan>", "file with the plan, or -")
    .option("--out <file>", "file that keeps the run, and that a later call goes on from")
    .option("--concurrency <number>", "tasks at once, 16 at most (default: 3)")
    .option("--queue <url>", "have workers of this queue execute them: nats://HOST:PORT/NAME")
    .option("--trust-workspace", "use runtime packages of the current project as well")
    .option("--allow-git-push", "let their commands push with git")
    .addHelpText("after", RUN_HELP)
    .action((plan: string, options: Omit<RunFanoutChoice, "plan">) => {
      select({
        printsJson: true,
        execute: async (context) => (await import("./run-fanout.ts")).runFanout(context, { ...options, plan }),
      });
    });
  fanout
    .command("reconcile")
    .description("Hold the records of a run against its plan, and print the result.")
    .argument("<plan>", "file with the plan")
    .argument("<run>", "file with the run")
    .addHelpText("after", "\nExample:\n  switchyard fanout reconcile plan.json run.json")
    .action((plan: string, run: string) => {
      select({
        printsJson: true,
        execute: async (context) => (await import("./reconcile-fanout.ts")).reconcileFanout(context, { plan, run }),
      });
    });
  fanout
    .command("dead")
    .description("Print the tasks of a queue of which no attempt came to an end, and queue them again.")
    .requiredOption("--queue <url>", "queue that they are in: nats://HOST:PORT/NAME")
    .option("--requeue", "have them done after all, with all their attempts")
    .addHelpText("after", "\nExample:\n  switchyard fanout dead --queue nats://127.0.0.1:4222/nightly --requeue")
    .action((options: DeadTasksChoice) => {
      select({
        printsJson: true,
        execute: async (context) => (await import("./dead-tasks.ts")).deadTasks(context, options),
      });
    });
  program
    .command("worker")
    .description("Execute tasks of a queue with runtime packages, until it is stopped.")
    .requiredOption("--queue <url>", "queue to take tasks from: nats://HOST:PORT/NAME")
    .option("--concurrency <number>", "tasks at once", "1")
    .option("--lease <seconds>", "time without a sign of life after which a task goes to another worker", "30")
    .option("--trust-workspace", "use runtime packages of the current project as well")
    .option("--allow-git-push", "let their commands push with git")
    .addHelpText("after", WORKER_HELP)
    .action((options: WorkerChoice) => {
      select({ printsJson: false, execute: async (context) => (await import("./work.ts")).work(context, options) });
    });
}
