/** Commit of a git repository that becomes the workspace of a run. */
export interface GitSource {
  /** URL of the repository: `https://…`, `ssh://…` or `file:///…`, without password, query and fragment. */
  url: string;
  /** Branch, tag or full commit id. Default: `HEAD` of the repository. */
  ref?: string | undefined;
  /** Name of the credential with which the worker reads the repository. Default: none. */
  credential?: string | undefined;
}

/** Where a worker gets the workspace of a run from. Exactly one field is set. */
export interface WorkspaceSource {
  /** Repository that the worker checks out in a new folder. */
  git?: GitSource | undefined;
  /** Name of a folder that the worker offers. */
  folder?: string | undefined;
}
