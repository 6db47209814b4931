import { join } from "node:path";
import { EngineError, type ExecResult } from "@switchyard/contracts";
import { checkImage } from "../client/check-setting.ts";
import { findContainerEngine } from "./container-engine.ts";
import { inspectImage } from "./docker-image.ts";
import type { DockerClientOptions } from "./docker-options.ts";

/** Options for `buildDockerImage`. */
export interface DockerBuildOptions extends DockerClientOptions {
  /** Folder with the `Dockerfile`, which is also the build context. */
  readonly folder: string;
  /** Name of the new image. */
  readonly image: string;
  /** Time limit, in milliseconds. Default: 600,000. */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_BUILD_TIMEOUT_MS = 600_000;
/** Number of lines of the build's output in an error. */
const SHOWN_LINES = 6;

/**
 * Builds an image from a `Dockerfile`. An existing image of the same name is used as it is, so the name should contain a
 * digest of the folder. Rejects with `environment.unavailable` if the build fails or exceeds its time limit.
 */
export async function buildDockerImage(options: DockerBuildOptions): Promise<void> {
  const { folder, signal } = options;
  const image = checkImage(options.image);
  const engine = await findContainerEngine(options);
  if ((await inspectImage(engine, { image, signal })) !== undefined) return;
  const args = ["build", "--force-rm", "--tag", image, "--file", join(folder, "Dockerfile"), folder];
  const result = await engine.run(args, { signal, timeoutMs: options.timeoutMs ?? DEFAULT_BUILD_TIMEOUT_MS });
  signal?.throwIfAborted();
  if (result.exitCode === 0 && !result.timedOut) return;
  throw new EngineError("environment.unavailable", { environment: `docker:${image}`, problem: problemOf(result) });
}

function problemOf({ timedOut, stdout, stderr, exitCode }: ExecResult): string {
  if (timedOut) return "the image was not built within the time limit; raise it, or build the image before the run.";
  const lines = `${stdout}\n${stderr}`.split("\n").filter((line) => line.trim() !== "");
  return `the image could not be built (exit code ${exitCode}): ${lines.slice(-SHOWN_LINES).join("\n")}`;
}
