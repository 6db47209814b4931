import {
  type FolderRule,
  normaliseGitUrl,
  type RepositoryRule,
  type RunRecord,
  type WorkspaceSource,
} from "@switchyard/contracts";

/** Requirements that a worker must meet to execute a run. A requirement that is `undefined` is met by every worker. */
export interface RunNeeds {
  /** Name of the engine. */
  readonly engine?: string | undefined;
  /** Name of the environment, such as `sandbox`. */
  readonly environment?: string | undefined;
  /** Labels that the worker must have, with their values. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Name of the worker that has the run's files. Other workers get the run only if this worker has disappeared, or does
   * not meet the other requirements.
   */
  readonly worker?: string | undefined;
  /** Folder that the worker must offer. */
  readonly folder?: FolderNeed | undefined;
  /** Repository that the worker must be allowed to check out. */
  readonly repository?: RepositoryNeed | undefined;
}

/** A folder of a worker that a run needs, and the owner of the run. */
export interface FolderNeed {
  /** Name of the folder. */
  readonly name: string;
  /** Owner of the run. */
  readonly owner: string;
}

/** A repository that a run needs, the credential for it, and the owner of the run. */
export interface RepositoryNeed {
  /** URL of the repository. */
  readonly url: string;
  /** Name of the credential. `undefined`: none. */
  readonly credential?: string | undefined;
  /** Owner of the run. */
  readonly owner: string;
}

/** Abilities of a worker. */
export interface WorkerAbilities {
  /** Name of the worker. */
  readonly name: string;
  /** Names of the engines that the worker can run. */
  readonly engines: readonly string[];
  /** Names of the environments that the worker can open. */
  readonly environments: readonly string[];
  /** Labels that the worker's operator has chosen. */
  readonly labels: Readonly<Record<string, string>>;
  /** True if the worker takes only runs that require all labels of the worker. Default: false. */
  readonly isDedicated?: boolean | undefined;
  /** Folders that the worker offers and that no run uses. Default: none. */
  readonly folders?: readonly FolderRule[] | undefined;
  /** Repositories that the worker may check out. Default: none. */
  readonly repositories?: readonly RepositoryRule[] | undefined;
}

/** Returns what the workspace of a run requires of a worker: a folder or a repository. */
function needsOfWorkspace({ git, folder }: WorkspaceSource, owner: string): Pick<RunNeeds, "folder" | "repository"> {
  return {
    ...(folder === undefined ? {} : { folder: { name: folder, owner } }),
    ...(git === undefined ? {} : { repository: { url: git.url, credential: git.credential, owner } }),
  };
}

/** Returns whether one of the folder rules has the name of the required folder and allows the owner of the run. */
export function allowsFolder(folders: readonly FolderRule[], { name, owner }: FolderNeed): boolean {
  return folders.some((rule) => rule.name === name && (rule.owners.includes(owner) || rule.owners.includes("*")));
}

/**
 * Returns the first rule that allows a repository. The repository's URL must be the rule's URL or below it, and the run
 * must name exactly the rule's credential.
 */
export function findRepositoryRule<Rule extends RepositoryRule>(
  rules: readonly Rule[],
  { url, credential, owner }: RepositoryNeed,
): Rule | undefined {
  const wanted = normaliseGitUrl(url);
  return rules.find((rule) => {
    if (rule.credential !== credential || rule.owners?.includes(owner) === false) return false;
    const allowed = normaliseGitUrl(rule.url);
    return wanted === allowed || wanted.startsWith(allowed.endsWith("/") ? allowed : `${allowed}/`);
  });
}

/**
 * Kind of requirement that a worker does not meet. `other runs`: the worker accepts only runs that require its labels.
 */
export type UnmetNeed = "engine" | "environment" | "labels" | "other runs" | "folder" | "repository";

/** Returns the first requirement of a run that a worker does not meet. Ignores which worker has the run's files. */
export function unmetNeed(
  worker: WorkerAbilities,
  { engine, environment, labels = {}, folder, repository }: RunNeeds,
): UnmetNeed | undefined {
  if (engine !== undefined && !worker.engines.includes(engine)) return "engine";
  if (environment !== undefined && !worker.environments.includes(environment)) return "environment";
  for (const [name, value] of Object.entries(labels)) if (worker.labels[name] !== value) return "labels";
  if (worker.isDedicated === true && Object.keys(worker.labels).some((name) => labels[name] === undefined))
    return "other runs";
  if (folder !== undefined && !allowsFolder(worker.folders ?? [], folder)) return "folder";
  if (repository !== undefined && findRepositoryRule(worker.repositories ?? [], repository) === undefined)
    return "repository";
  return undefined;
}

/** Returns the worker of a name. `undefined` if it does not exist any longer. */
export type FindWorker = (name: string) => WorkerAbilities | undefined;

/** Returns whether a worker may take a run. */
export function canTake(worker: WorkerAbilities, needs: RunNeeds, findWorker: FindWorker): boolean {
  if (unmetNeed(worker, needs) !== undefined) return false;
  if (needs.worker === undefined || needs.worker === worker.name) return true;
  const holder = findWorker(needs.worker);
  // For example, a worker may have been started again without the engine of the run.
  return holder === undefined || unmetNeed(holder, needs) !== undefined;
}

/** Returns the requirements of a stored run. */
export function needsOfRecord({ engine, owner = "", placement = {}, worker }: RunRecord): RunNeeds {
  const { environment, labels, workspace = {} } = placement;
  return { engine, environment, labels, worker, ...needsOfWorkspace(workspace, owner) };
}

/** Returns a text that is equal for equal requirements. */
export function keyOfNeeds({ engine, environment, labels = {}, worker, folder, repository }: RunNeeds): string {
  const sorted = Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1));
  const { url, credential, owner } = repository ?? {};
  const { name } = folder ?? {};
  const wanted = [name, folder?.owner, url, credential, owner];
  return JSON.stringify([engine, environment, worker, sorted, ...wanted]);
}
