import { EngineError } from "@switchyard/contracts";
import { checkImage } from "../client/check-setting.ts";
import type { ClientProgram } from "../client/client-program.ts";
import { parseJson, textAt, valueAt } from "../client/read-json.ts";
import { findContainerEngine, RESPONSE_TIMEOUT_MS } from "./container-engine.ts";
import type { DockerClientOptions } from "./docker-options.ts";
import { explainEngine } from "./explain-engine.ts";

/** Settings of an image. */
export interface DockerImage {
  /** Working directory of the image's processes. */
  readonly workingDirectory: string;
  /** User of the image's processes. */
  readonly user: string;
  /** Folders of the image's PATH. */
  readonly programFolders: readonly string[];
}

/** Options for `pullDockerImage`. */
export interface DockerPullOptions extends DockerClientOptions {
  /** Name, digest or id of the image. */
  readonly image: string;
  /** When to pull the image: if the image is not present (`missing`) or never (`never`). Default: `missing`. */
  readonly pull?: "missing" | "never" | undefined;
  /** Time limit, in milliseconds. Default: 300,000. */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_PULL_TIMEOUT_MS = 300_000;
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Returns the settings of an image, and pulls the image if it is not present. Rejects with `environment.unavailable` if
 * the image cannot be pulled.
 */
export async function pullDockerImage(options: DockerPullOptions): Promise<DockerImage> {
  return pullImage(await findContainerEngine(options), options);
}

/** Like `pullDockerImage`, but uses a client that was already found. */
export async function pullImage(engine: ClientProgram, options: DockerPullOptions): Promise<DockerImage> {
  const image = checkImage(options.image);
  const present = await inspectImage(engine, options);
  if (present !== undefined) return present;
  if (options.pull !== "never") {
    const limits = { signal: options.signal, timeoutMs: options.timeoutMs ?? DEFAULT_PULL_TIMEOUT_MS };
    const pulled = await engine.run(["pull", "--quiet", image], limits);
    options.signal?.throwIfAborted();
    if (pulled.exitCode !== 0 && !pulled.timedOut) throw explainEngine(`docker:${image}`, pulled);
  }
  const found = await inspectImage(engine, options);
  if (found !== undefined) return found;
  const problem =
    options.pull === "never"
      ? "the image does not exist; build or pull it, or check its name."
      : "the image was not pulled within the time limit; pull it before the run.";
  throw new EngineError("environment.unavailable", { environment: `docker:${image}`, problem });
}

/** Returns the settings of an image. `undefined` if the image is not present. */
export async function inspectImage(
  engine: ClientProgram,
  { image, signal }: Pick<DockerPullOptions, "image" | "signal">,
): Promise<DockerImage | undefined> {
  const limits = { signal, timeoutMs: RESPONSE_TIMEOUT_MS };
  const result = await engine.run(["image", "inspect", "--", checkImage(image)], limits);
  signal?.throwIfAborted();
  if (result.exitCode !== 0) {
    if (/no such image|image not known|failed to find image/i.test(result.stderr)) return undefined;
    throw explainEngine(`docker:${image}`, result);
  }
  const config = valueAt(parseJson(result.stdout), 0, "Config");
  const variables = valueAt(config, "Env");
  const texts = Array.isArray(variables) ? variables.filter((one) => typeof one === "string") : [];
  const path = texts.find((one) => one.startsWith("PATH="))?.slice("PATH=".length) ?? DEFAULT_PATH;
  return {
    workingDirectory: textAt(config, "WorkingDir") || "/",
    user: textAt(config, "User") || "0:0",
    programFolders: path.split(":").filter((folder) => folder.startsWith("/")),
  };
}
