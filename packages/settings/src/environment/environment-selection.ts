/** Settings that select the environment of a run. */
export interface EnvironmentOptions {
  /** Name of the environment: `local`, `docker:IMAGE`, … Default: `local`. */
  env?: string | undefined;
  /** Network access of commands in the environment: `none`, `allow`, or the name of a network. */
  envNetwork?: string | undefined;
  /** Maximum memory of a new container or pod, such as `512m`. */
  envMemory?: string | undefined;
  /** User that commands in a container run as: `caller`, `image`, or `UID[:GID]`. */
  envUser?: string | undefined;
}

/** Settings that select a run's environment, with the workspace of the run. They are stored with the run. */
export interface EnvironmentSelection extends EnvironmentOptions {
  /**
   * Folder on this machine that contains the workspace. Some environments work in the folder itself, others in a copy.
   */
  workspace?: string | undefined;
}
