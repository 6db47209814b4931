import type { ExecutionEnvironment } from "@switchyard/contracts";
import { forgetAborted, whenAborted } from "../session/when-aborted.ts";
import { type GitSnapshot, readGitSnapshot } from "./git-snapshot.ts";
import { readProjectDocuments } from "./project-documents.ts";

/** Result of inspecting a session's working directory. */
export interface WorkspaceFacts {
  /** State of the git repository. `undefined` if there is none. See loop: §6.4. */
  readonly git: GitSnapshot | undefined;
  /** Content of the project's instruction files. Empty if there are none. See loop: §6.5. */
  readonly projectDocuments: string;
}

/** Options for `inspectWorkspace`. */
export interface InspectOptions {
  /** Names of instruction files. */
  readonly names: readonly string[];
  /** Signal that stops the inspection when aborted. */
  readonly signal?: AbortSignal | undefined;
}

const NO_FACTS: WorkspaceFacts = { git: undefined, projectDocuments: "" };

/**
 * Inspection of a workspace. It is shared by all callers within one turn of the event loop, because the workspace
 * cannot change during that turn.
 */
class SharedInspection {
  readonly names: readonly string[];
  readonly #over = new AbortController();
  readonly #found: Promise<WorkspaceFacts>;
  /** Number of waiting callers. */
  #waiting = 0;

  constructor(environment: ExecutionEnvironment, names: readonly string[]) {
    this.names = names;
    this.#found = this.#look(environment);
  }

  /**
   * Resolves with the result, or with an empty result if the signal aborts. The inspection stops when no caller waits
   * any longer.
   */
  join(signal: AbortSignal | undefined): Promise<WorkspaceFacts> {
    this.#waiting += 1;
    if (signal === undefined) return this.#found;
    return new Promise((resolve) => {
      const giveUp = (): void => {
        resolve(NO_FACTS);
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#over.abort();
      };
      whenAborted(signal, giveUp);
      void this.#found.then((surroundings) => {
        forgetAborted(signal, giveUp);
        resolve(surroundings);
      });
    });
  }

  async #look(environment: ExecutionEnvironment): Promise<WorkspaceFacts> {
    await undefined;
    if (joinable.get(environment) === this) joinable.delete(environment);
    const { signal } = this.#over;
    const git = await readGitSnapshot(environment, signal);
    const options = { names: this.names, gitRoot: git?.root, signal };
    return { git, projectDocuments: await readProjectDocuments(environment, options) };
  }
}

/** Inspections of the workspace that have not started, so that further callers can share them. */
const joinable = new WeakMap<ExecutionEnvironment, SharedInspection>();

/**
 * Inspects the working directory. Concurrent calls in one environment, for example from subagents of one response,
 * share the inspection. Never rejects. See loop: §6.4, §6.5.
 */
export function inspectWorkspace(
  environment: ExecutionEnvironment,
  { names, signal }: InspectOptions,
): Promise<WorkspaceFacts> {
  const shared = joinable.get(environment);
  if (shared !== undefined && shared.names === names) return shared.join(signal);
  const inspection = new SharedInspection(environment, names);
  joinable.set(environment, inspection);
  return inspection.join(signal);
}
