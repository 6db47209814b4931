import { resolve } from "node:path";
import { parseLayer } from "../config/config-layer.ts";
import { usageError } from "../program/usage-error.ts";
import { quote } from "../questions/quote.ts";
import { neutraliseControls, toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../world/world.ts";
import type { TrustOptions } from "./trust-command.ts";
import { distrust, findWorkspace, listTrusted, trust, type Workspace } from "./trusted-workspaces.ts";

/** Trusts a folder, or shows and ends trust. Resolves with the exit code. */
export async function executeTrust(world: World, folder: string | undefined, options: TrustOptions): Promise<number> {
  const { list, remove } = options;
  if (list === true && (remove === true || folder !== undefined)) throw usageError("--list goes alone.", "trust");
  if (list === true) return printList(world, options);
  const path = resolve(world.workingDirectory, folder ?? ".");
  if (remove === true) return endTrust(world, path, options);
  const workspace = await findWorkspace(path);
  // What cannot be read as settings would only fail with the next run.
  if (workspace.file !== undefined) await parseLayer(workspace.file, "project");
  await trust(world, workspace);
  if (options.json === true) world.stdout.write(`${toPlainJson({ path: workspace.path, trusted: true })}\n`);
  else world.stdout.write(`${describe(world, workspace).join("\n")}\n`);
  return 0;
}

function describe({ stdout }: World, { path, file }: Workspace): string[] {
  const lines = [`Trusted: ${neutraliseControls(path)}`];
  if (file === undefined) return [...lines, "It has no switchyard.yaml; a new one has to be trusted again."];
  return [...lines, "Its settings:", ...quote(file.text.trimEnd(), { columns: stdout.columns, whole: false }).lines];
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
  const trusted = await listTrusted(world);
  if (json === true) {
    const rows = trusted.map(({ path, trustedAt }) => ({ path, trusted_at: trustedAt }));
    world.stdout.write(`${toPlainJson({ workspaces: rows })}\n`);
    return 0;
  }
  const lines = trusted.map(({ path, trustedAt }) => `${trustedAt.slice(0, 10)}  ${neutraliseControls(path)}`);
  world.stdout.write(`${lines.length === 0 ? "No folder is trusted." : lines.join("\n")}\n`);
  return 0;
}
