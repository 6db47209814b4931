import { join } from "node:path";
import { createRuntimeRegistry } from "@switchyard/runtimes";
import { settingsFolder } from "@switchyard/settings";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { type FindOptions, findRuntimes } from "./find-runtimes.ts";

/** Lists runtime packages by canonical id, and the packages that cannot be used. Resolves with exit code 0. */
export async function listRuntimes(
  context: CommandContext,
  options: FindOptions & { json?: boolean },
): Promise<number> {
  const { stdout, stderr } = context;
  const { packages, faults } = await findRuntimes(context, options);
  const { runtimes, conflicts } = createRuntimeRegistry(packages);
  if (options.json === true) {
    const listed = runtimes.map(({ id, folder, origin, manifest, warnings }) => ({
      ...{ id, folder, origin, warnings },
      backends: manifest.agent_task_executors.map(({ backend }) => backend),
    }));
    stdout.write(`${toPlainJson({ runtimes: listed, conflicts, faults })}\n`);
    return 0;
  }
  const width = Math.max(0, ...runtimes.map(({ id }) => id.length));
  for (const { id, origin, manifest } of runtimes) {
    const backends = manifest.agent_task_executors.map(({ backend }) => backend).join(", ");
    stdout.write(neutraliseControls(`${id.padEnd(width)}  ${origin.padEnd(7)}  ${backends}`).concat("\n"));
  }
  if (runtimes.length === 0) stderr.write(`${neutraliseControls(describeNothing(context, options))}\n`);
  for (const { kind, id, folders } of conflicts) {
    stderr.write(
      neutraliseControls(`conflict: the ${kind} ${id} is declared in ${folders.join(" and ")}`).concat("\n"),
    );
  }
  for (const { folder, problem } of faults) {
    stderr.write(neutraliseControls(`warning: ${folder}: ${problem}`).concat("\n"));
  }
  return 0;
}

/**
 * Returns the message for an empty list. It names the searched folders and explains how to include the current project.
 */
function describeNothing(context: CommandContext, { trustWorkspace }: FindOptions): string {
  const settings = settingsFolder(context);
  const folder =
    settings === undefined ? "a home folder, which this user does not have" : join(settings, "agent-runtimes");
  if (trustWorkspace === true) return `No runtime package was found in this project or in ${folder}.`;
  return `No runtime package was found in ${folder}. Use --trust-workspace to include this project.`;
}
