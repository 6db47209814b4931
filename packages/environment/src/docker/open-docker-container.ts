import { randomUUID } from "node:crypto";
import { createProcessOwner, type Owner } from "@switchyard/process-owner";
import { checkRemotePath } from "../client/check-setting.ts";
import type { ClientProgram } from "../client/client-program.ts";
import { OWNER_LABELS } from "../owner/owner-labels.ts";
import { openRemoteEnvironment } from "../remote/open-remote-environment.ts";
import { findContainerEngine, RESPONSE_TIMEOUT_MS } from "./container-engine.ts";
import { type CreatedContainer, createContainer } from "./create-container.ts";
import { createDockerBackend } from "./docker-backend.ts";
import type { DockerContainer, DockerContainerSetup } from "./docker-container.ts";
import { type DockerImage, pullImage } from "./docker-image.ts";
import { takeDockerSnapshot } from "./docker-snapshot.ts";
import { explainEngine } from "./explain-engine.ts";
import { sweepContainers } from "./sweep-docker-containers.ts";
import { sweepSnapshots } from "./sweep-docker-snapshots.ts";

/** Time limit for copying files and storing a snapshot, in milliseconds. */
const COPY_TIMEOUT_MS = 300_000;

/**
 * Creates a container whose workspace is a folder of the image: by default the image's working directory. The container
 * has the same limits and the same defaults as a container of `openDockerEnvironment`. In addition, the files of the
 * new container can be stored with `snapshot` and passed to another container. Containers, volumes and snapshots left
 * behind by killed processes are removed too.
 *
 * Rejects with `config.invalid` and `environment.unavailable`.
 */
export async function openDockerContainer(options: DockerContainerSetup): Promise<DockerContainer> {
  const engine = await findContainerEngine(options);
  const owner = createProcessOwner();
  const image = await pullImage(engine, { ...options, timeoutMs: options.startTimeoutMs });
  const empty = await createVolumes(engine, options.emptyFolders ?? [], owner);
  // Not awaited here, because removing the leftovers of dead processes must not delay this container.
  const swept = Promise.allSettled([sweepContainers(engine, owner), sweepSnapshots(engine, owner)]);
  const removeVolumes = async (): Promise<void> => {
    await swept;
    await removeQuietly(engine, ["volume", "rm", "--force", "--", ...Object.values(empty)], Object.keys(empty).length);
  };
  try {
    const created = await createContainer(
      engine,
      { ...imageOptions(options), pull: "never", usesImageFiles: true },
      { owner, files: options.files, volumes: { empty, from: options.snapshot?.container } },
    );
    return await open(engine, created, { options, image, removeVolumes, owner });
  } catch (error) {
    await removeVolumes();
    throw error;
  }
}

function imageOptions({ files: _, emptyFolders: __, snapshot: ___, ...options }: DockerContainerSetup) {
  return options;
}

interface Opening {
  readonly options: DockerContainerSetup;
  readonly image: DockerImage;
  readonly owner: Owner;
  readonly removeVolumes: () => Promise<void>;
}

async function open(
  engine: ClientProgram,
  created: CreatedContainer,
  { options, image, owner, removeVolumes }: Opening,
): Promise<DockerContainer> {
  const { name, user, home } = created;
  const workingDirectory = options.workingDirectory ?? image.workingDirectory;
  const remove = async (): Promise<void> => {
    await created.remove();
    await removeVolumes();
  };
  // Closing the environment ends its processes. The container is removed later, because its files are still needed.
  const close = (): Promise<void> => Promise.resolve();
  const backend = createDockerBackend(engine, {
    ...{ name: `docker:${options.image}`, container: name, user, home, close },
  });
  try {
    const { environmentVariables, killGraceMs, drainMs, maxReadBytes } = options;
    const limits = { environmentVariables, killGraceMs, drainMs, maxReadBytes };
    const environment = await openRemoteEnvironment(backend, { workingDirectory, ...limits });
    // Processes that could not be ended one by one are ended with the container.
    const closeEnvironment = async (): Promise<void> => {
      await Promise.allSettled([environment[Symbol.asyncDispose]()]);
    };
    return {
      environment,
      image,
      copyOut: (path, target) => copyOut(engine, `${name}:${checkRemotePath("path", path)}`, target),
      async snapshot() {
        await closeEnvironment();
        return takeDockerSnapshot(engine, name, owner.token);
      },
      async [Symbol.asyncDispose]() {
        await closeEnvironment();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function copyOut(engine: ClientProgram, source: string, target: string): Promise<void> {
  const result = await engine.run(["cp", source, target], { timeoutMs: COPY_TIMEOUT_MS });
  if (result.exitCode !== 0) throw explainEngine(`docker:${source}`, result);
}

async function createVolumes(
  engine: ClientProgram,
  paths: readonly string[],
  owner: Owner,
): Promise<Record<string, string>> {
  const label = `${OWNER_LABELS.owner}=${owner.token}`;
  const create = async (path: string): Promise<[path: string, name: string]> => {
    const target = checkRemotePath("emptyFolders", path);
    const name = `switchyard-${randomUUID()}`;
    const created = await engine.run(["volume", "create", "--label", label, name], { timeoutMs: RESPONSE_TIMEOUT_MS });
    if (created.exitCode !== 0) throw explainEngine("docker", created);
    return [target, name];
  };
  return Object.fromEntries(await Promise.all(paths.map(create)));
}

/** Removes leftovers. A failure is ignored: the next cleanup removes them. */
async function removeQuietly(engine: ClientProgram, args: readonly string[], count: number): Promise<void> {
  if (count > 0) await engine.run(args, { timeoutMs: RESPONSE_TIMEOUT_MS }).catch(() => undefined);
}
