import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  DockerContainer,
  DockerContainerSetup,
  DockerImage,
  DockerSnapshot,
} from "@switchyard/environment/docker";
import type { HarborPhase, HarborTask } from "./harbor-task.ts";
import { type HostVariables, resolveVariables } from "./resolve-variables.ts";

/** Connection to the container engine that runs tasks. */
export interface ContainerEngine {
  /** `docker`, `podman`, or the absolute path of either. Default: the first of the two found on the PATH. */
  readonly client?: string | undefined;
  /**
   * The host's environment variables, usually `process.env`. They are passed to the client program, and tasks can refer
   * to them. Default: none.
   */
  readonly hostEnv?: HostVariables | undefined;
}

/** Opens the containers of tasks. Each image is built or pulled once. */
export interface TaskContainers {
  /** Opens the container in which the engine works, with the reference solution if it is requested. */
  openAgent(task: HarborTask, options: { readonly hasSolution: boolean }): Promise<DockerContainer>;
  /**
   * Opens the container in which the tests run. It contains the tests, and the files of the snapshot of the engine's
   * container.
   */
  openVerifier(task: HarborTask, before: DockerContainer, snapshot: DockerSnapshot): Promise<DockerContainer>;
  /** Returns the variables, with references such as `${NAME}` replaced by the values of the host's variables. */
  resolve(variables: HarborTask["variables"]): Record<string, string>;
}

const MS_PER_SECOND = 1_000;
/** Mode of folders that every user of a container may write to. */
const OPEN_MODE = 0o777;

/** Creates the containers of an evaluation's tasks. `signal` aborts their start. */
export function createTaskContainers(engine: ContainerEngine, signal: AbortSignal): TaskContainers {
  const { hostEnv = {} } = engine;
  const client = { client: engine.client, hostEnv, signal };
  const images = new Map<string, Promise<DockerImage>>();
  const imageOf = ({ image }: HarborTask): Promise<DockerImage> => {
    const known = images.get(image.name);
    if (known !== undefined) return known;
    const prepared = prepareImage(image, client);
    images.set(image.name, prepared);
    // After a failure, the next trial prepares the image again.
    prepared.catch(() => images.delete(image.name));
    return prepared;
  };
  const resolve = (variables: HarborTask["variables"]): Record<string, string> => resolveVariables(variables, hostEnv);
  const setUp = (task: HarborTask, phase: HarborPhase): Omit<DockerContainerSetup, "image"> => ({
    ...client,
    ...{ pull: "never", memory: `${task.memoryMb}m`, cpus: task.cpus, network: phase.hasNetwork ? "bridge" : "none" },
    ...{ user: phase.user, workingDirectory: task.workingDirectory },
    environmentVariables: { set: { ...resolve(task.variables), ...resolve(phase.variables) } },
  });
  return {
    resolve,
    async openAgent(task, { hasSolution }) {
      const image = await imageOf(task);
      const workingDirectory = task.workingDirectory ?? image.workingDirectory;
      const solution = hasSolution && task.solution !== undefined ? { "/solution": task.solution.folder } : {};
      const uploads = task.uploads === undefined ? {} : { [workingDirectory]: task.uploads };
      return withFolders(["agent", "artifacts", "verifier"], (logs) =>
        openContainer({
          ...{ ...setUp(task, task.agent), image: task.image.name },
          files: { "/": logs, ...uploads, ...solution },
          emptyFolders: Object.keys(solution),
        }),
      );
    },
    openVerifier: (task, before, snapshot) =>
      withFolders(["verifier"], (logs) =>
        openContainer({
          ...setUp(task, task.verifier),
          ...{ image: snapshot.image, snapshot, user: task.verifier.user ?? before.image.user },
          files: { "/": logs, "/tests": task.verifier.tests },
          emptyFolders: ["/tests", "/logs/verifier"],
        }),
      ),
  };
}

type Client = ContainerEngine & { readonly signal: AbortSignal };

async function prepareImage(image: HarborTask["image"], client: Client): Promise<DockerImage> {
  const { buildDockerImage, pullDockerImage } = await import("@switchyard/environment/docker");
  if (image.kind === "named") return pullDockerImage({ ...client, image: image.name });
  const timeoutMs = image.timeoutSeconds * MS_PER_SECOND;
  await buildDockerImage({ ...client, image: image.name, folder: image.folder, timeoutMs });
  return pullDockerImage({ ...client, image: image.name, pull: "never" });
}

async function openContainer(setup: DockerContainerSetup): Promise<DockerContainer> {
  const { openDockerContainer } = await import("@switchyard/environment/docker");
  return openDockerContainer(setup);
}

/** Calls a function with a temporary folder that contains `logs` with these empty folders, open to every user. */
async function withFolders<T>(names: readonly string[], use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-task-"));
  try {
    await chmod(folder, 0o755);
    await mkdir(join(folder, "logs"), { mode: 0o755 });
    for (const name of names) {
      await mkdir(join(folder, "logs", name));
      await chmod(join(folder, "logs", name), OPEN_MODE);
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
