/** A validated task in the format of Harbor, another evaluation tool. All paths are absolute. */
export interface HarborTask {
  /** Folder with `task.toml`. */
  readonly folder: string;
  /** Image of the task's containers. */
  readonly image: HarborImage;
  /** Folder of this machine whose files are put into the working directory. `undefined`: the image has all files. */
  readonly uploads?: string | undefined;
  /** Path of the working directory in the container. `undefined`: the image's. */
  readonly workingDirectory?: string | undefined;
  /** Number of processors. */
  readonly cpus: number;
  /** Memory limit, in MiB. */
  readonly memoryMb: number;
  /** Environment variables of all commands. */
  readonly variables: HarborVariables;
  /** Phase in which the engine works. */
  readonly agent: HarborPhase;
  /** Phase in which the tests run. */
  readonly verifier: HarborPhase & {
    /** Time limit of the tests, in seconds. */
    readonly timeoutSeconds: number;
    /** Folder with `test.sh`. */
    readonly tests: string;
  };
  /** Reference solution. `undefined` if the task has none. */
  readonly solution?:
    | {
        /** Folder with `solve.sh`. */
        readonly folder: string;
        /** Environment variables of `solve.sh`. */
        readonly variables: HarborVariables;
      }
    | undefined;
}

/** Variables by name. A value `${NAME}` or `${NAME:-default}` refers to a variable of the host. */
export type HarborVariables = Readonly<Record<string, string>>;

/** Image that is pulled, or built from a `Dockerfile`. */
export type HarborImage =
  | { readonly kind: "named"; readonly name: string }
  | {
      readonly kind: "built";
      /** Name of the image. The name contains a digest of the folder's files. */
      readonly name: string;
      /** Folder with the `Dockerfile`. */
      readonly folder: string;
      /** Time limit of the build, in seconds. */
      readonly timeoutSeconds: number;
    };

/** Settings of the container in which the engine works, or in which the tests run. */
export interface HarborPhase {
  /** Whether commands can connect to other machines. */
  readonly hasNetwork: boolean;
  /** User that runs commands. `undefined`: the image's. */
  readonly user?: string | undefined;
  /** Environment variables of the commands in this phase. */
  readonly variables: HarborVariables;
}
