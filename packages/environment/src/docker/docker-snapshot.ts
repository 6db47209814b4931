import { EngineError, type ExecResult } from "@switchyard/contracts";
import type { ClientProgram } from "../client/client-program.ts";
import { OWNER_LABELS } from "../owner/owner-labels.ts";
import { RESPONSE_TIMEOUT_MS } from "./container-engine.ts";
import type { DockerSnapshot } from "./docker-container.ts";
import { explainEngine } from "./explain-engine.ts";

/** Time limit for storing the files of a container, in milliseconds. */
const STORE_TIMEOUT_MS = 600_000;

/**
 * Ends all processes of a container and stores its files as an image. Rejects with `environment.unavailable` if a
 * process still runs or the files cannot be stored.
 */
export async function takeDockerSnapshot(
  engine: ClientProgram,
  container: string,
  token: string,
): Promise<DockerSnapshot> {
  const must = async (args: readonly string[], timeoutMs: number): Promise<ExecResult> => {
    const result = await engine.run(args, { timeoutMs });
    if (result.exitCode !== 0) throw explainEngine(`docker:@${container}`, result);
    return result;
  };
  // Fails if the container has already ended. The state is checked next.
  await engine.run(["kill", container], { timeoutMs: RESPONSE_TIMEOUT_MS });
  await engine.run(["wait", container], { timeoutMs: RESPONSE_TIMEOUT_MS });
  const state = await must(["inspect", "--format", "{{.State.Running}}", "--", container], RESPONSE_TIMEOUT_MS);
  if (state.stdout.trim() !== "false") {
    const problem = "its processes did not end; see the engine's log.";
    throw new EngineError("environment.unavailable", { environment: `docker:@${container}`, problem });
  }
  const label = `LABEL ${OWNER_LABELS.owner}=${token}`;
  const [changes, stored] = await Promise.all([
    must(["diff", container], STORE_TIMEOUT_MS),
    must(["commit", "--change", label, container], STORE_TIMEOUT_MS),
  ]);
  const image = stored.stdout.trim().split("\n").at(-1) ?? "";
  return {
    image,
    container,
    changedPaths: changes.stdout
      .split("\n")
      .flatMap((line) => /^[AC] (?<path>\/.*)$/u.exec(line)?.groups?.["path"] ?? []),
    async [Symbol.asyncDispose]() {
      // A failure is ignored: the next cleanup of abandoned snapshots removes the image.
      await engine.run(["rmi", "--force", image], { timeoutMs: RESPONSE_TIMEOUT_MS }).catch(() => undefined);
    },
  };
}
