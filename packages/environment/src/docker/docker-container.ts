import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { DockerImage } from "./docker-image.ts";
import type { DockerImageOptions } from "./docker-options.ts";

/** Options for `openDockerContainer`. */
export interface DockerContainerSetup extends Omit<DockerImageOptions, "workspace" | "usesImageFiles"> {
  /**
   * Folders of this machine that are copied into the container before its first process starts. Each key is a path in
   * the container. The folder at this path must exist, or be listed in `emptyFolders`.
   */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Paths that are empty folders when the container starts. Files of the image at these paths are hidden. */
  readonly emptyFolders?: readonly string[] | undefined;
  /**
   * Snapshot whose volumes are mounted in the new container. To use the other files of the snapshot too, set `image` to
   * the snapshot's image.
   */
  readonly snapshot?: DockerSnapshot | undefined;
}

/** A new container, whose files can be stored as a snapshot. Disposing the object removes the container. */
export interface DockerContainer extends AsyncDisposable {
  /** Files and processes of the container. */
  readonly environment: ExecutionEnvironment;
  /** Settings of the container's image. */
  readonly image: DockerImage;
  /**
   * Copies a folder of the container to a folder of this machine, which must exist. Symbolic links are copied as they
   * are. Runs no program in the container. Rejects with `environment.unavailable`.
   */
  copyOut(path: string, target: string): Promise<void>;
  /**
   * Ends all processes of the container and stores its files. The environment is closed afterwards. Rejects with
   * `environment.unavailable` if a process still runs or the files cannot be stored.
   */
  snapshot(): Promise<DockerSnapshot>;
}

/** Files of a container whose processes have ended. Disposing the object deletes the files. */
export interface DockerSnapshot extends AsyncDisposable {
  /** Id of the image with the files. */
  readonly image: string;
  /** Name of the container, which has ended. Its volumes are part of the snapshot. */
  readonly container: string;
  /** Paths that the container added or changed. */
  readonly changedPaths: readonly string[];
}
