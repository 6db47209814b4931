import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { RequeueChoice } from "./requeue-runs.ts";
import type { StatusChoice } from "./show-cluster.ts";

/** Adds the commands `cluster status` and `cluster requeue`. */
export function addClusterCommand(program: Command, select: Select): void {
  const cluster = program
    .command("cluster")
    .description("Inspect the servers and workers of a queue.")
    .addHelpText("after", "\nExample:\n  switchyard cluster status --queue nats://127.0.0.1:4222/team");
  cluster
    .command("status")
    .description("Print the workers, the queued runs of each owner, and dead letters.")
    .requiredOption("--queue <url>", "queue to inspect: nats://HOST:PORT/NAME")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  switchyard cluster status --queue nats://127.0.0.1:4222/team --json")
    .action((options: StatusChoice) => {
      select(async (context) => (await import("./show-cluster.ts")).showCluster(context, options));
    });
  cluster
    .command("requeue")
    .description("Queue runs again that ended as dead letters, because their workers died.")
    .argument("[run...]", "ids of runs (default: all dead letters)")
    .requiredOption("--queue <url>", "queue of the runs: nats://HOST:PORT/NAME")
    .addHelpText("after", "\nExample:\n  switchyard cluster requeue --queue nats://127.0.0.1:4222/team")
    .action((runs: string[], options: Omit<RequeueChoice, "runs">) => {
      select(async (context) => (await import("./requeue-runs.ts")).requeueRuns(context, { ...options, runs }));
    });
}
