import { ORACLE } from "../harbor/task-engines.ts";
import type { AttemptParts, TrialEnvironment } from "./attempt.ts";
import { openWorkspace } from "./open-workspace.ts";

/** Opens the environment of a session: the container of a task, or the environment of the workspace folder. */
export async function openTrialEnvironment({ trial, context, folder }: AttemptParts): Promise<TrialEnvironment> {
  const { task } = trial.case;
  if (task === undefined) {
    const environment = await openWorkspace(folder, context);
    return { environment, [Symbol.asyncDispose]: async () => environment[Symbol.asyncDispose]() };
  }
  const container = await context.containers.openAgent(task, { hasSolution: trial.engine.name === ORACLE });
  const { environment } = container;
  return { environment, container, [Symbol.asyncDispose]: () => container[Symbol.asyncDispose]() };
}
