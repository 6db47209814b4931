import type { ExecutionEnvironment } from "@switchyard/contracts";
import { forgetAborted, whenAborted } from "../session/when-aborted.ts";
import { type GitSnapshot, readGitSnapshot } from "./git-snapshot.ts";
import { readProjectDocuments } from "./project-documents.ts";

/** What there is round the working directory that a session begins in. */
export interface WorkspaceFacts {
  /** The repository; nothing where there is none. loop: §6.4. */
  readonly git: GitSnapshot | undefined;
  /** The instruction files as one text; empty when there are none. loop: §6.5. */
  readonly projectDocuments: string;
}

/** Who looks for what. */
export interface InspectOptions {
  /** Names of instruction files. */
  readonly names: readonly string[];
  /** Ends looking when it fires. */
  readonly signal?: AbortSignal | undefined;
}

const NOTHING: WorkspaceFacts = { git: undefined, projectDocuments: "" };

/** One look round for all who ask in the same turn of the event loop, before anything could have changed. */
class SharedInspection {
  readonly names: readonly string[];
  readonly #over = new AbortController();
  readonly #found: Promise<WorkspaceFacts>;
  /** How many still want to know. */
  #waiting = 0;

  constructor(environment: ExecutionEnvironment, names: readonly string[]) {
    this.names = names;
    this.#found = this.#look(environment);
  }

  /** What is found, or nothing as soon as the signal fires; the look ends with the last who gives up. */
  join(signal: AbortSignal | undefined): Promise<WorkspaceFacts> {
    this.#waiting += 1;
    if (signal === undefined) return this.#found;
    return new Promise((resolve) => {
      const giveUp = (): void => {
        resolve(NOTHING);
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

/** Looks that have not begun yet. */
const joinable = new WeakMap<ExecutionEnvironment, SharedInspection>();

/**
 * Looks round the working directory. Sessions that begin at the same moment in one environment, as the children of one
 * answer do, share the look; each of them gives up by itself. Never rejects. loop: §6.4, §6.5.
 */
export function inspectWorkspace(
  environment: ExecutionEnvironment,
  { names, signal }: InspectOptions,
): Promise<WorkspaceFacts> {
  const shared = joinable.get(environment);
  if (shared !== undefined && shared.names === names) return shared.join(signal);
  const own = new SharedInspection(environment, names);
  joinable.set(environment, own);
  return own.join(signal);
}
