import type { ExecutionEnvironment } from "@switchyard/contracts";
import { DIAGNOSTIC_CLASSES } from "../contract/vocabulary.ts";
import { valueAt } from "../json/value-at.ts";
import { firstText } from "../task/project-references.ts";
import type { TaskArtifact, TaskDiagnostic } from "../task/task-outcome.ts";

/** Result of checking an outcome's artifacts: the allowed ones, and diagnostics about rejected ones. */
export interface ConfinedArtifacts {
  /** Artifacts that have no file, or whose file is in the workspace. */
  readonly artifacts: readonly TaskArtifact[];
  /** One diagnostic for each rejected artifact, with the artifact's id, path and the reason as data. */
  readonly diagnostics: readonly TaskDiagnostic[];
}

/**
 * Removes artifacts whose file is missing or outside the workspace, and adds a diagnostic for each. Callers must check
 * the file again before they use it. See agent-runtime-package: outcome and diagnostic contracts.
 */
export async function confineArtifacts(
  artifacts: readonly TaskArtifact[],
  environment: ExecutionEnvironment,
): Promise<ConfinedArtifacts> {
  const confined: TaskArtifact[] = [];
  const diagnostics: TaskDiagnostic[] = [];
  for (const artifact of artifacts) {
    const problem = artifact.path === undefined ? undefined : await pathProblem(artifact.path, environment);
    if (problem === undefined) confined.push(artifact);
    else diagnostics.push(refusedArtifact(artifact, problem));
  }
  return { artifacts: confined, diagnostics };
}

/** Reason why an artifact's file is rejected. */
type RefusalReason = "missing" | "outside";

const REASONS: Readonly<Record<RefusalReason, string>> = {
  missing: "its file does not exist",
  outside: "its path leads out of the workspace",
};

function refusedArtifact({ id, path }: Pick<TaskArtifact, "id" | "path">, reason: RefusalReason): TaskDiagnostic {
  const message = `The artifact ${id} was dropped: ${REASONS[reason]}.`;
  return { class: DIAGNOSTIC_CLASSES.artifact, message, data: { artifact_id: id, path, reason } };
}

/**
 * Removes entries of `typed_artifacts` whose file is missing or outside the workspace. Entries without a path are
 * unchanged.
 */
export async function confineTypedArtifacts(
  entries: readonly unknown[],
  environment: ExecutionEnvironment,
): Promise<{ readonly entries: readonly unknown[]; readonly diagnostics: readonly TaskDiagnostic[] }> {
  const confined: unknown[] = [];
  const diagnostics: TaskDiagnostic[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = firstText(valueAt(entry, "artifact.path"), valueAt(entry, "path"));
    const problem = path === undefined ? undefined : await pathProblem(path, environment);
    const id = firstText(valueAt(entry, "artifact.id"), valueAt(entry, "name")) ?? `typed-artifact-${index + 1}`;
    if (problem === undefined) confined.push(entry);
    else diagnostics.push(refusedArtifact({ id, path }, problem));
  }
  return { entries: confined, diagnostics };
}

async function pathProblem(path: string, environment: ExecutionEnvironment): Promise<RefusalReason | undefined> {
  try {
    return (await environment.exists(path)) ? undefined : "missing";
  } catch {
    return "outside";
  }
}
