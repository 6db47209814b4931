import { LISTED_STATUSES } from "@switchyard/runner";
import { type Command, Option } from "commander";
import { parseAge, parseCount } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import { STORE_HELP, type StoreOptions } from "../store/open-run-store.ts";
import type { ExportOptions } from "./export-run.ts";
import { addForkCommand } from "./fork-command.ts";
import { collectStatuses, type ListOptions } from "./list-options.ts";
import type { CleanOptions } from "./remove-runs.ts";

interface Options extends StoreOptions {
  json?: boolean;
}

const CLEAN_EPILOGUE = `
Resumable runs are kept unless --include-resumable is given. A run in progress is always kept.

Examples:
  switchyard runs clean --older-than 30d
  switchyard runs clean --older-than 12h --include-resumable`;

const LIST_EPILOGUE = `
A cut-off run lost its process before it ended. Ids on a terminal are shortened; every command takes them. Output to a pipe
or a file is not truncated.

Examples:
  switchyard runs list
  switchyard runs list --status failed,error --limit 50
  switchyard runs list --search "flaky test"`;

/** Adds the command `runs` and its subcommands. */
export function addRunsCommand(program: Command, select: Select): void {
  const runs = program.command("runs").description("List, inspect, compare, fork and delete the stored runs.");
  runs.addHelpText("after", "\nExamples:\n  switchyard runs list\n  switchyard runs show 01JD");
  addCommand(runs, "list", "List runs, newest first.")
    .option("--limit <count>", "maximum number of runs, 0 for all (default: 20, all with --json)", parseCount)
    .addOption(statusOption())
    .option("--search <text>", "list only runs whose task or id contains the text, in upper or lower case")
    .addHelpText("after", LIST_EPILOGUE)
    .action((options: ListOptions) => {
      select(async (context) => (await import("./list-runs.ts")).listRuns(context, options));
    });
  addCommand(runs, "show", "Show a run's status, changes and files.")
    .argument("<id>", "id of the run, a unique prefix of it, or `last`")
    .addHelpText("after", "\nExample:\n  switchyard runs show 01JD")
    .action((id: string, options: Options) => {
      select(async (context) => (await import("./show-run.ts")).showRun(context, { ...options, id }));
    });
  addCommand(runs, "events", "Print the events of a run, as text or (with --json) as JSON lines.")
    .argument("<id>", "id of the run, a unique prefix of it, or `last`")
    .option("-f, --follow", "keep printing new events until the run ends")
    .addHelpText("after", "\nExamples:\n  switchyard runs events 01JD\n  switchyard runs events 01JD --follow --json")
    .action((id: string, options: Options & { follow?: boolean }) => {
      select(async (context) => (await import("./export-run.ts")).printEvents(context, { ...options, id }));
    });
  addExportCommand(runs, select);
  addCommand(runs, "import", "Store a trajectory in ATIF as a run that has ended.")
    .argument("<file>", "trajectory in ATIF, versions 1.0 to 1.8; - reads standard input")
    .addHelpText("after", "\nExample:\n  switchyard runs import trajectory.json")
    .action((file: string, options: Options) => {
      select(async (context) => (await import("./diff-runs.ts")).importRun(context, { ...options, file }));
    });
  addCommand(runs, "diff", "Compare the steps, tool calls, tokens and cost of two runs.")
    .argument("<first>", "id of a run, or a file with a trajectory in ATIF")
    .argument("<second>", "id of a run, or a file with a trajectory in ATIF")
    .addHelpText("after", "\nExamples:\n  switchyard runs diff 01JD last\n  switchyard runs diff 01JD trajectory.json")
    .action((first: string, second: string, options: Options) => {
      select(async (context) => (await import("./diff-runs.ts")).diffRuns(context, { ...options, first, second }));
    });
  addForkCommand(runs, select);
  addCommand(runs, "delete", "Delete a run and its files.")
    .argument("<id>", "id of the run, a unique prefix of it, or `last`")
    .addHelpText("after", "\nExample:\n  switchyard runs delete 01JD")
    .action((id: string, options: Options) => {
      select(async (context) => (await import("./remove-runs.ts")).deleteRun(context, { ...options, id }));
    });
  addCommand(runs, "clean", "Delete runs that ended some time ago.")
    .requiredOption("--older-than <age>", "minimum age since their end, such as 30d, 12h or 90m", parseAge)
    .option("--include-resumable", "delete interrupted, failed and cut-off runs as well")
    .addHelpText("after", CLEAN_EPILOGUE)
    .action((options: CleanOptions) => {
      select(async (context) => (await import("./remove-runs.ts")).cleanRuns(context, options));
    });
}

const EXPORT_EPILOGUE = `
json has all stored data. The html page shows the conversation, tool calls, costs and changes; it needs no network and no
script. atif is Harbor's Agent Trajectory Interchange Format, for other tools and for \`runs diff\`. Check the file for
confidential content before you share it: only secrets that Switchyard knew of or recognised are redacted.

Examples:
  switchyard runs export 01JD --output run.json
  switchyard runs export 01JD --format html --output run.html
  switchyard runs export 01JD --format atif --output trajectory.json`;

function addExportCommand(runs: Command, select: Select): void {
  runs
    .command("export")
    .description("Export a run as one JSON document, one HTML page, or a trajectory in ATIF.")
    .argument("<id>", "id of the run, a unique prefix of it, or `last`")
    .addOption(new Option("--format <format>", "format of the file").choices(["json", "html", "atif"]).default("json"))
    .option("-o, --output <file>", "file to write to (default: standard output)")
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .addHelpText("after", EXPORT_EPILOGUE)
    .action((id: string, options: Pick<ExportOptions, "format" | "output"> & StoreOptions) => {
      select({
        printsJson: options.format !== "html",
        execute: async (context) => (await import("./export-run.ts")).exportRun(context, { ...options, id }),
      });
    });
}

function statusOption(): Option {
  const option = new Option("--status <statuses>", "list only runs with these statuses, separated by commas");
  return option.choices(LISTED_STATUSES).argParser(collectStatuses);
}

function addCommand(runs: Command, name: string, description: string): Command {
  return runs
    .command(name)
    .description(description)
    .option("--json", "print JSON")
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP);
}
