import type { EnvironmentVariables, ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createProcessOwner } from "@switchyard/process-owner";
import type { ClientProgram } from "../client/client-program.ts";
import { assertKnownOptions, ENVIRONMENT_OPTIONS, type OptionNames } from "../known-options.ts";
import { proxyVariables } from "../relay/relay-command.ts";
import { openRemoteEnvironment } from "../remote/open-remote-environment.ts";
import type { RemoteBackend } from "../remote/remote-backend.ts";
import { checkUser } from "./container-arguments.ts";
import { findContainerEngine } from "./container-engine.ts";
import { currentUser, findContainerUser } from "./container-user.ts";
import { createContainer } from "./create-container.ts";
import { createDockerBackend } from "./docker-backend.ts";
import type { DockerContainerOptions, DockerEnvironmentOptions, DockerImageOptions } from "./docker-options.ts";
import { findContainer } from "./find-container.ts";
import { startRelay } from "./start-relay.ts";
import { sweepContainers } from "./sweep-docker-containers.ts";

/** Backend of a container environment, and the path of the workspace in the container. */
interface OpenedContainer {
  readonly backend: RemoteBackend;
  readonly workingDirectory: string;
}

const DOCKER_OPTIONS: OptionNames<DockerContainerOptions & DockerImageOptions> = {
  ...ENVIRONMENT_OPTIONS,
  client: true,
  hostEnv: true,
  signal: true,
  user: true,
  container: true,
  image: true,
  pull: true,
  workspace: true,
  workingDirectory: true,
  usesImageFiles: true,
  memory: true,
  cpus: true,
  pids: true,
  network: true,
  proxy: true,
  readOnlyRoot: true,
  startTimeoutMs: true,
};

/**
 * Opens an environment in a container, through the client program of Docker or Podman. The container either runs
 * already or is created from an image. A new container has no network, and has limits on memory, processors and
 * processes. It is removed when the environment is closed. Containers left by killed processes are removed too.
 *
 * Throws `config.invalid`, `workspace.not_found`, `workspace.not_a_directory` and `environment.unavailable`. See loop:
 * DockerExecutionEnvironment, §4.3.
 */
export async function openDockerEnvironment(options: DockerEnvironmentOptions): Promise<ExecutionEnvironment> {
  assertKnownOptions(options, DOCKER_OPTIONS);
  assertImageOrContainer(options);
  if (options.user !== undefined) checkUser(options.user);
  const engine = await findContainerEngine(options);
  const { backend, workingDirectory } =
    "container" in options && options.container !== undefined
      ? await openExistingContainer(engine, options)
      : await openNewContainer(engine, options);
  const { killGraceMs, drainMs, maxReadBytes } = options;
  const environmentVariables = variableRulesOf(options);
  return openRemoteEnvironment(backend, { workingDirectory, environmentVariables, killGraceMs, drainMs, maxReadBytes });
}

/** Returns the rules for environment variables, with the variables of the proxy if there is one. */
function variableRulesOf(options: DockerEnvironmentOptions): EnvironmentVariables | undefined {
  const { environmentVariables: rules } = options;
  const hasProxy = options.image !== undefined && options.proxy !== undefined;
  return hasProxy ? { ...rules, set: { ...proxyVariables(), ...rules?.set } } : rules;
}

function assertImageOrContainer(options: {
  readonly container?: string | undefined;
  readonly image?: string | undefined;
}): void {
  if ((options.container === undefined) !== (options.image === undefined)) return;
  const problem = "set exactly one of `image` and `container`";
  throw new EngineError("config.invalid", { field: "image", problem });
}

async function openExistingContainer(engine: ClientProgram, options: DockerContainerOptions): Promise<OpenedContainer> {
  const { signal } = options;
  const { id, workingDirectory } = await findContainer(engine, options);
  const choice = { user: options.user, hasWorkspace: false, caller: currentUser(), signal };
  const user = await findContainerUser(engine, choice);
  const name = `docker:@${options.container}`;
  const close = (): Promise<void> => Promise.resolve();
  return { backend: createDockerBackend(engine, { name, container: id, user, close }), workingDirectory };
}

async function openNewContainer(engine: ClientProgram, options: DockerImageOptions): Promise<OpenedContainer> {
  const owner = createProcessOwner();
  const created = await createContainer(engine, options, { owner });
  // The cleanup is not awaited, because removing containers of dead host processes must not delay this run.
  const swept = sweepContainers(engine, owner).then(
    () => {},
    () => {},
  );
  const close = async (): Promise<void> => {
    await Promise.all([created.remove(), swept]);
    await options.proxy?.[Symbol.asyncDispose]();
  };
  if (options.proxy !== undefined) {
    const { image, signal } = options;
    await startRelay(engine, { image, name: created.name, user: created.user, signal }).catch(
      async (error: unknown) => {
        await created.remove();
        throw error;
      },
    );
  }
  const backend = createDockerBackend(engine, {
    name: `docker:${options.image}`,
    container: created.name,
    user: created.user,
    home: created.home,
    close,
  });
  return { backend, workingDirectory: created.workingDirectory };
}
