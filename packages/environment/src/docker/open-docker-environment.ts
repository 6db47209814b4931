import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createProcessOwner } from "@switchyard/process-owner";
import type { ClientProgram } from "../client/client-program.ts";
import { openRemoteEnvironment } from "../remote/open-remote-environment.ts";
import type { RemotePlace } from "../remote/remote-place.ts";
import { findContainerEngine } from "./container-engine.ts";
import type { DockerContainerOptions, DockerEnvironmentOptions, DockerImageOptions } from "./docker-options.ts";
import { createDockerPlace } from "./docker-place.ts";
import { findContainer } from "./find-container.ts";
import { makeContainer } from "./make-container.ts";
import { sweepContainers } from "./sweep-docker-containers.ts";

/** A place with the folder in it that is the workspace. */
interface OpenedPlace {
  readonly place: RemotePlace;
  readonly workingDirectory: string;
}

/**
 * Opens an environment in a container, by the client program of Docker or Podman: in one that runs already, or in one
 * that is made from an image, with limits on memory, processors and processes and without a network, and removed at the
 * end. What earlier processes left when they were killed is removed too.
 *
 * Throws `config.invalid`, `workspace.not_found`, `workspace.not_a_directory` and `environment.unavailable`.
 * loop: DockerExecutionEnvironment, §4.3.
 */
export async function openDockerEnvironment(options: DockerEnvironmentOptions): Promise<ExecutionEnvironment> {
  assertOnePlace(options);
  const engine = await findContainerEngine(options);
  const { place, workingDirectory } =
    "container" in options && options.container !== undefined
      ? await openFoundContainer(engine, options)
      : await openMadeContainer(engine, options);
  const { environmentVariables, killGraceMs, drainMs, maxReadBytes } = options;
  return openRemoteEnvironment(place, { workingDirectory, environmentVariables, killGraceMs, drainMs, maxReadBytes });
}

function assertOnePlace(options: {
  readonly container?: string | undefined;
  readonly image?: string | undefined;
}): void {
  if ((options.container === undefined) !== (options.image === undefined)) return;
  const problem = "exactly one of `image` and `container` says where the environment is";
  throw new EngineError("config.invalid", { field: "image", problem });
}

async function openFoundContainer(engine: ClientProgram, options: DockerContainerOptions): Promise<OpenedPlace> {
  const { id, workingDirectory } = await findContainer(engine, options);
  const name = `docker:@${options.container}`;
  const close = (): Promise<void> => Promise.resolve();
  return { place: createDockerPlace(engine, { name, container: id, user: options.user, close }), workingDirectory };
}

async function openMadeContainer(engine: ClientProgram, options: DockerImageOptions): Promise<OpenedPlace> {
  const owner = createProcessOwner();
  const made = await makeContainer(engine, options, owner);
  // Not waited for: what others left must not hold up this run. Nobody misses the number.
  const swept = sweepContainers(engine, owner).then(
    () => {},
    () => {},
  );
  const close = async (): Promise<void> => {
    await Promise.all([made.remove(), swept]);
  };
  const place = createDockerPlace(engine, {
    name: `docker:${options.image}`,
    container: made.name,
    user: options.user,
    close,
  });
  return { place, workingDirectory: made.workingDirectory };
}
