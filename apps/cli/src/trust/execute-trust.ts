import { resolve } from "node:path";
import type { TrustedFiles } from "@switchyard/runner";
import { parseLayer } from "../config/config-layer.ts";
import { usageError } from "../program/usage-error.ts";
import { quote } from "../questions/quote.ts";
import { neutraliseControls, toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../context/command-context.ts";
import type { TrustOptions } from "./trust-options.ts";
import { compareFiles, type FileChange } from "./trusted-files.ts";
import {
  distrust,
  filesOf,
  findTrusted,
  findWorkspace,
  listTrusted,
  trust,
  type Workspace,
  type WorkspaceFiles,
} from "./trusted-workspaces.ts";

/** A folder and how it differs from what was trusted. */
interface Comparison extends WorkspaceFiles {
  readonly workspace: Workspace;
  /** Whether the folder was on the list before, with its files. */
  readonly before: TrustedFiles | undefined;
  readonly changes: readonly { readonly path: string; readonly change: FileChange }[];
}

/** Trusts a folder, compares it with what was trusted, or lists and ends trust. Resolves with the exit code. */
export async function executeTrust(world: World, folder: string | undefined, options: TrustOptions): Promise<number> {
  const { list, remove, check } = options;
  if (list === true && (remove === true || check === true || folder !== undefined)) {
    throw usageError("--list goes alone.", "trust");
  }
  if (remove === true && check === true) throw usageError("--check and --remove exclude each other.", "trust");
  if (list === true) return printList(world, options);
  const path = resolve(world.workingDirectory, folder ?? ".");
  if (remove === true) return endTrust(world, path, options);
  const found = await compare(world, path);
  if (check === true) return printComparison(world, found, options);
  const { workspace, files } = found;
  // What cannot be read as settings would only fail with the next run.
  if (workspace.file !== undefined) await parseLayer(workspace.file, "project");
  await trust(world, workspace.path, files);
  if (options.json === true) printJson(world, found, true);
  else world.stdout.write(`${describe(world, found).join("\n")}\n`);
  return 0;
}

async function compare(world: World, folder: string): Promise<Comparison> {
  const workspace = await findWorkspace(folder);
  const [stored, { files, notices }] = [await findTrusted(world, workspace.path), await filesOf(world, workspace)];
  const before = stored?.files;
  return { workspace, before, files, notices, changes: compareFiles(before ?? new Map(), files) };
}

function printJson({ stdout }: World, { workspace, changes }: Comparison, trusted: boolean): void {
  const files = changes.map(({ path, change }) => ({ path, change }));
  stdout.write(`${toPlainJson({ path: workspace.path, trusted, files })}\n`);
}

/** Resolves with 0 if everything in the folder is trusted as it is, with 1 otherwise. */
function printComparison(world: World, found: Comparison, { json }: TrustOptions): number {
  const { workspace, before, changes } = found;
  const isTrusted = before !== undefined && changes.every(({ change }) => change === "unchanged");
  if (json === true) printJson(world, found, isTrusted);
  else {
    const path = neutraliseControls(workspace.path);
    const state = before === undefined ? "Not trusted" : isTrusted ? "Trusted" : "Changed since it was trusted";
    world.stdout.write(`${[`${state}: ${path}`, ...listed(found)].join("\n")}\n`);
  }
  return isTrusted ? 0 : 1;
}

function describe({ stdout }: World, found: Comparison): string[] {
  const { workspace, changes } = found;
  const lines = [`Trusted: ${neutraliseControls(workspace.path)}`, ...listed(found)];
  if (changes.length === 0) return [...lines, "It has no settings, skills or commands; new ones have to be trusted."];
  if (workspace.file === undefined) return lines;
  const { columns } = stdout;
  return [...lines, "Its settings:", ...quote(workspace.file.text.trimEnd(), { columns, whole: false }).lines];
}

/** One line for each file, and for each that cannot be read. */
function listed({ changes, notices }: Comparison): string[] {
  const files = changes.map(({ path, change }) => `  ${change.padEnd(9)}  ${neutraliseControls(path)}`);
  return [...files, ...notices.map(({ message }) => `  ${neutraliseControls(message)}`)];
}

async function endTrust(world: World, path: string, { json }: TrustOptions): Promise<number> {
  const { realpath } = await import("node:fs/promises");
  // A folder that is gone may still be on the list.
  const known = await realpath(path).catch(() => path);
  const wasTrusted = await distrust(world, known);
  if (json === true) world.stdout.write(`${toPlainJson({ path: known, trusted: false })}\n`);
  else world.stdout.write(`${wasTrusted ? "No longer trusted" : "Was not trusted"}: ${neutraliseControls(known)}\n`);
  return 0;
}

async function printList(world: World, { json }: TrustOptions): Promise<number> {
  const trusted = [...(await listTrusted(world))];
  if (json === true) {
    const rows = trusted.map(([path, { trustedAt, files }]) => ({
      ...{ path, trusted_at: trustedAt, is_outdated: files === undefined },
      files: [...(files?.keys() ?? [])],
    }));
    world.stdout.write(`${toPlainJson({ workspaces: rows })}\n`);
    return 0;
  }
  const lines = trusted.map(([path, { trustedAt, files }]) => {
    const note = files === undefined ? "  (trusted by an earlier version: trust it again)" : "";
    return `${trustedAt.slice(0, 10)}  ${neutraliseControls(path)}${note}`;
  });
  world.stdout.write(`${lines.length === 0 ? "No folder is trusted." : lines.join("\n")}\n`);
  return 0;
}
