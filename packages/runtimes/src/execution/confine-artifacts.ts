import type { ExecutionEnvironment } from "@switchyard/contracts";
import { DIAGNOSTIC_CLASSES } from "../contract/vocabulary.ts";
import type { TaskArtifact, TaskDiagnostic } from "../task/task-outcome.ts";

/** Artifacts that may be referred to, and what is said of the others. */
export interface ConfinedArtifacts {
  /** Those that may. */
  readonly artifacts: readonly TaskArtifact[];
  /** One diagnostic for each that may not. */
  readonly diagnostics: readonly TaskDiagnostic[];
}

/**
 * Keeps references to files of the workspace; one that leads out, or to nothing, is dropped and named. Contract: check
 * again when a file is used. agent-runtime-package: outcome and diagnostic contracts.
 */
export async function confineArtifacts(
  artifacts: readonly TaskArtifact[],
  environment: ExecutionEnvironment,
): Promise<ConfinedArtifacts> {
  const kept: TaskArtifact[] = [];
  const diagnostics: TaskDiagnostic[] = [];
  for (const artifact of artifacts) {
    const problem = artifact.path === undefined ? undefined : await pathProblem(artifact.path, environment);
    if (problem === undefined) kept.push(artifact);
    else {
      const message = `The artifact ${artifact.id} was dropped: ${problem}.`;
      diagnostics.push({ class: DIAGNOSTIC_CLASSES.artifact, message });
    }
  }
  return { artifacts: kept, diagnostics };
}

async function pathProblem(path: string, environment: ExecutionEnvironment): Promise<string | undefined> {
  try {
    return (await environment.exists(path)) ? undefined : "its file does not exist";
  } catch {
    return "its path leads out of the workspace";
  }
}
