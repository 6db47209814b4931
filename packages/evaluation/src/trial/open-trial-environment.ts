import { ORACLE } from "../harbor/task-engines.ts";
import type { AttemptParts, TrialEnvironment } from "./attempt.ts";
import { openWorkspace } from "./open-workspace.ts";

/** Maximum number of different messages about refused requests in the result of a run. Further messages are dropped. */
const MAX_REFUSALS = 10;

/** Opens the environment of a session: the container of a task, or the environment of the workspace folder. */
export async function openTrialEnvironment({ trial, context, folder }: AttemptParts): Promise<TrialEnvironment> {
  const { task } = trial.case;
  if (task === undefined) {
    const refusals = new Set<string>();
    const onRefusal = (message: string): void => {
      if (refusals.size < MAX_REFUSALS) refusals.add(message);
    };
    const { environment, requests } = await openWorkspace(folder, context, { onRefusal });
    return { environment, requests, refusals, [Symbol.asyncDispose]: async () => environment[Symbol.asyncDispose]() };
  }
  const container = await context.containers.openAgent(task, { hasSolution: trial.engine.name === ORACLE });
  const { environment } = container;
  return { environment, container, refusals: new Set(), [Symbol.asyncDispose]: () => container[Symbol.asyncDispose]() };
}
