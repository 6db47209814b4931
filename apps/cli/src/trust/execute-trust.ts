import { resolve } from "node:path";
import {
  compareWorkspace,
  listTrusted,
  parseSettings,
  removeTrust,
  trustWorkspace,
  type WorkspaceComparison,
} from "@switchyard/settings";
import { neutraliseControls, quote, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";
import type { TrustOptions } from "./trust-options.ts";

/**
 * Executes the command `trust`: trusts a folder, compares its files with the trusted ones, lists trusted folders, or
 * removes a folder from the list. Resolves with the exit code.
 */
export async function executeTrust(
  context: CommandContext,
  folder: string | undefined,
  options: TrustOptions,
): Promise<number> {
  const { list, remove, check } = options;
  if (list === true && (remove === true || check === true || folder !== undefined)) {
    throw usageError("--list cannot be combined with a folder or other options.", "trust");
  }
  if (remove === true && check === true) throw usageError("--check and --remove cannot be combined.", "trust");
  if (list === true) return printList(context, options);
  const path = resolve(context.workingDirectory, folder ?? ".");
  if (remove === true) return endTrust(context, path, options);
  const found = await compareWorkspace(context, path);
  if (check === true) return printComparison(context, found, options);
  const { workspace, files } = found;
  // Parses the settings file before it is trusted. Otherwise an invalid file would only be reported by the next run.
  if (workspace.file !== undefined) await parseSettings(workspace.file, "project");
  await trustWorkspace(context, workspace.path, files);
  if (options.json === true) printJson(context, found, true);
  else context.stdout.write(`${describe(context, found).join("\n")}\n`);
  return 0;
}

function printJson({ stdout }: CommandContext, { workspace, changes }: WorkspaceComparison, trusted: boolean): void {
  stdout.write(`${toPlainJson({ path: workspace.path, trusted, files: changes })}\n`);
}

/**
 * Prints how a folder differs from the files that the user trusted. Returns 0 if all files are trusted and unchanged,
 * otherwise 1.
 */
function printComparison(context: CommandContext, found: WorkspaceComparison, { json }: TrustOptions): number {
  const { workspace, before, isTrusted } = found;
  if (json === true) printJson(context, found, isTrusted);
  else {
    const path = neutraliseControls(workspace.path);
    const state = before === undefined ? "Not trusted" : isTrusted ? "Trusted" : "Changed since it was trusted";
    context.stdout.write(`${[`${state}: ${path}`, ...listed(found)].join("\n")}\n`);
  }
  return isTrusted ? 0 : 1;
}

function describe({ stdout }: CommandContext, found: WorkspaceComparison): string[] {
  const { workspace, changes } = found;
  const lines = [`Trusted: ${neutraliseControls(workspace.path)}`, ...listed(found)];
  if (changes.length === 0)
    return [...lines, "It contains no settings, skills or commands. New ones are not trusted automatically."];
  if (workspace.file === undefined) return lines;
  const { columns } = stdout;
  return [...lines, "Its settings:", ...quote(workspace.file.text.trimEnd(), { columns, whole: false }).lines];
}

/** Returns one line for each file, which states how it changed, and one for each unreadable file. */
function listed({ changes, notices }: WorkspaceComparison): string[] {
  const files = changes.map(({ path, change }) => `  ${change.padEnd(9)}  ${neutraliseControls(path)}`);
  return [...files, ...notices.map(({ message }) => `  ${neutraliseControls(message)}`)];
}

async function endTrust(context: CommandContext, path: string, { json }: TrustOptions): Promise<number> {
  const { realpath } = await import("node:fs/promises");
  // A folder that no longer exists may still be in the list of trusted folders.
  const known = await realpath(path).catch(() => path);
  const wasTrusted = await removeTrust(context, known);
  if (json === true) context.stdout.write(`${toPlainJson({ path: known, trusted: false })}\n`);
  else context.stdout.write(`${wasTrusted ? "No longer trusted" : "Was not trusted"}: ${neutraliseControls(known)}\n`);
  return 0;
}

async function printList(context: CommandContext, { json }: TrustOptions): Promise<number> {
  const trusted = [...(await listTrusted(context))];
  if (json === true) {
    const rows = trusted.map(([path, { trustedAt, files }]) => ({
      ...{ path, trusted_at: trustedAt, is_outdated: files === undefined },
      files: [...(files?.keys() ?? [])],
    }));
    context.stdout.write(`${toPlainJson({ workspaces: rows })}\n`);
    return 0;
  }
  const lines = trusted.map(([path, { trustedAt, files }]) => {
    const note = files === undefined ? "  (trusted by an earlier version: trust it again)" : "";
    return `${trustedAt.slice(0, 10)}  ${neutraliseControls(path)}${note}`;
  });
  context.stdout.write(`${lines.length === 0 ? "No folder is trusted." : lines.join("\n")}\n`);
  return 0;
}
