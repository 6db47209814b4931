import type { SessionResult } from "@switchyard/contracts";
import type { TaskArtifact, TaskOutcome } from "../task/task-outcome.ts";
import { usageOf } from "./usage-of.ts";

/**
 * Converts a task's outcome to a session result. The outcome's summary becomes the final message. Artifacts with a
 * path, URL or content become the files of the result.
 */
export function toSessionResult(outcome: TaskOutcome, engine: string, durationMs: number): SessionResult {
  const { status, summary, artifacts, diagnostics } = outcome;
  const usage = usageOf(outcome);
  const files = artifacts.flatMap((artifact) => {
    const { id, name, path, url } = artifact;
    const source = path === undefined ? (url === undefined ? contentOf(artifact) : { url }) : { path };
    return source === undefined ? [] : [{ name: name ?? path?.split("/").at(-1) ?? id, ...source }];
  });
  const diagnosticText = diagnostics.map(({ class: kind, message }) => `${kind}: ${message}`).join("\n");
  return {
    exit_code: status === "succeeded" || status === "no_op" ? 0 : 1,
    final_message: summary,
    engine,
    duration_ms: Math.round(durationMs),
    ...(usage === undefined ? {} : { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }),
    ...(usage?.model === undefined ? {} : { model: usage.model }),
    ...(diagnosticText === "" ? {} : { stderr: diagnosticText }),
    ...(files.length === 0 ? {} : { artifacts: { files } }),
  };
}

/**
 * Returns an artifact's inline content, which Switchyard's own provider command writes to `content` or
 * `content_base64`.
 */
function contentOf(artifact: TaskArtifact): { content: string } | { content_base64: string } | undefined {
  const { content, content_base64: base64 } = artifact;
  if (typeof content === "string") return { content };
  return typeof base64 === "string" ? { content_base64: base64 } : undefined;
}
