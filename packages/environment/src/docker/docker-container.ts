import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { DockerImage } from "./docker-image.ts";
import type { DockerImageOptions } from "./docker-options.ts";

/** Options for `openDockerContainer`. */
export interface DockerContainerSetup extends Omit<DockerImageOptions, "workspace" | "usesImageFiles"> {
  /**
   * Folders of this machine that are copied into the container before its first process starts, by their paths in the
   * container. The folder at the path must exist, or be in `emptyFolders`.
   */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Paths that are empty folders when the container starts. Files of the image at these paths are hidden. */
  readonly emptyFolders?: readonly string[] | undefined;
  /** Snapshot whose files the container starts with. Its image is used if it is also the `image`. */
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
   * are. No program of the container runs. Rejects with `environment.unavailable`.
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
