import { createHash, randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { DIAGNOSTIC_CLASSES } from "../contract/vocabulary.ts";
import { isRecord } from "../json/is-record.ts";
import type { TaskArtifact, TaskDiagnostic, TaskOutcome } from "../task/task-outcome.ts";
import type { TaskRequest } from "../task/task-request.ts";
import { type AppliedChanges, applyChanges } from "../workspace/apply-changes.ts";
import type { Checkout } from "../workspace/open-checkout.ts";
import type { OpenFolder } from "../workspace/prepared-workspace.ts";
import { type CheckoutChanges, readChanges } from "../workspace/read-changes.ts";
import { onDiskOf } from "../workspace/storage-fault.ts";
import { isInside, type WriteScope } from "../workspace/with-write-scope.ts";

/** Options for `deliverChanges`. */
export interface DeliverOptions {
  /** Fresh checkout in which the task ran. It must still exist. */
  readonly checkout: Checkout;
  /** Environment in which the task ran. */
  readonly environment: ExecutionEnvironment;
  /** Request of the task. */
  readonly request: TaskRequest;
  /** Files that the provider may write. */
  readonly scope: WriteScope;
  /** Folder to which files are copied before the checkout is removed. */
  readonly stateFolder: string;
  /** Function that opens the folder to which changes are applied. */
  readonly openFolder: OpenFolder;
}

/** Maximum size of a file that is copied, in bytes. Larger files are lost with the checkout. */
const MAX_ARTIFACT_BYTES = 50 * 1024 * 1024;

/**
 * Saves the results of a task before its checkout is removed. Changes within the write scope become an artifact
 * `patch`, and files that the outcome refers to are copied. If the request has `policy.apply: "apply"` and the task
 * succeeded, the changes are applied to `workspace.root`. Changes outside the write scope are reported, but not
 * included in the patch. See agent-runtime-package: workspace materialization.
 */
export async function deliverChanges(
  outcome: TaskOutcome,
  options: DeliverOptions,
): Promise<{ readonly outcome: TaskOutcome; readonly outside: readonly string[] }> {
  const { checkout, scope, request, stateFolder } = options;
  const changes = await readChanges(checkout, (path) => isInside(path, scope));
  const folder = join(stateFolder, "artifacts", request.task_id.replace(/[^\w-]/gu, "_").slice(0, 80), randomUUID());
  const storedArtifacts = await storeFiles(outcome.artifacts, folder, options);
  const patch = changes.patch === "" ? [] : [await storePatch(changes, folder, checkout.commit)];
  const isSound = outcome.status === "succeeded" && changes.outside.length === 0;
  const applied = isSound && patch.length > 0 ? await applyIfRequested(changes.patch, options) : undefined;
  const status = applied?.status ?? (patch.length > 0 ? "proposed" : "none");
  return {
    outcome: {
      ...outcome,
      artifacts: [...storedArtifacts.artifacts, ...patch],
      diagnostics: [...outcome.diagnostics, ...storedArtifacts.diagnostics, ...refusalOf(applied)],
      metadata: { ...outcome.metadata, workspace: { base_commit: checkout.commit, apply_back: status } },
    },
    outside: changes.outside,
  };
}

function refusalOf(applied: AppliedChanges | undefined): TaskDiagnostic[] {
  if (applied?.status !== "refused") return [];
  const message = `The changes were not applied, but the patch contains them: ${applied.problem}.`;
  return [{ class: DIAGNOSTIC_CLASSES.apply_back, message }];
}

async function applyIfRequested(patch: string, options: DeliverOptions): Promise<AppliedChanges | undefined> {
  const { checkout, request, openFolder } = options;
  const { policy, workspace } = request;
  const isRequested = isRecord(policy) && policy["apply"] === "apply";
  if (!isRequested) return undefined;
  if (workspace?.root === undefined) return { status: "refused", problem: "workspace.root names no folder for them" };
  return applyChanges(checkout, patch, { target: workspace.root, openFolder });
}

async function storeFile(folder: string, path: string, content: Uint8Array): Promise<string> {
  const target = join(folder, path);
  await onDiskOf(folder, async () => {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, content, { mode: 0o600 });
  });
  return target;
}

async function storePatch(changes: CheckoutChanges, folder: string, commit: string): Promise<TaskArtifact> {
  const content = Buffer.from(changes.patch);
  return {
    schema: SCHEMA_IDS.task_artifact,
    ...{ id: "workspace-patch", kind: "patch", role: "patch", name: "changes.patch", mime: "text/x-diff" },
    path: await storeFile(folder, "changes.patch", content),
    size_bytes: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
    metadata: { base_commit: commit, files: changes.paths.slice(0, 1000), file_count: changes.paths.length },
  };
}

/**
 * Copies files that would be removed with the checkout. They are read through the environment, which rejects paths
 * outside the workspace.
 */
async function storeFiles(
  artifacts: readonly TaskArtifact[],
  folder: string,
  { environment }: DeliverOptions,
): Promise<{ artifacts: TaskArtifact[]; diagnostics: TaskDiagnostic[] }> {
  const stored: TaskArtifact[] = [];
  const diagnostics: TaskDiagnostic[] = [];
  for (const [index, artifact] of artifacts.entries()) {
    if (artifact.path === undefined) {
      stored.push(artifact);
      continue;
    }
    const { kind, size } = await environment.stat(artifact.path);
    if (kind === "file" && size <= MAX_ARTIFACT_BYTES) {
      const content = await environment.readBytes(artifact.path, { length: Math.max(1, size) });
      const name = artifact.path.split("/").at(-1) ?? "file";
      const metadata = {
        ...(isRecord(artifact["metadata"]) ? artifact["metadata"] : {}),
        workspace_path: artifact.path,
      };
      stored.push({ ...artifact, path: await storeFile(folder, `files/${index}/${name}`, content), metadata });
      continue;
    }
    const why = kind === "file" ? "it is larger than 50 MiB" : "it is not a file";
    const message = `The artifact ${artifact.id} was dropped: ${why}, and its checkout is gone.`;
    diagnostics.push({ class: DIAGNOSTIC_CLASSES.artifact, message });
  }
  return { artifacts: stored, diagnostics };
}
