import type { SessionResult } from "@switchyard/contracts";
import type { TaskOutcome } from "../task/task-outcome.ts";
import { usageOf } from "./usage-of.ts";

/** An outcome as the result of a session: its summary is the last word, its artifacts with a path or an address are files. */
export function toSessionResult(outcome: TaskOutcome, engine: string, durationMs: number): SessionResult {
  const { status, summary, artifacts, diagnostics } = outcome;
  const usage = usageOf(outcome);
  const files = artifacts.flatMap(({ id, name, path, url }) => {
    if (path === undefined && url === undefined) return [];
    const file = name ?? path?.split("/").at(-1) ?? id;
    return [{ name: file, ...(path === undefined ? { url } : { path }) }];
  });
  const said = diagnostics.map(({ class: kind, message }) => `${kind}: ${message}`).join("\n");
  return {
    exit_code: status === "succeeded" || status === "no_op" ? 0 : 1,
    final_message: summary,
    engine,
    duration_ms: Math.round(durationMs),
    ...(usage === undefined ? {} : { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }),
    ...(usage?.model === undefined ? {} : { model: usage.model }),
    ...(said === "" ? {} : { stderr: said }),
    ...(files.length === 0 ? {} : { artifacts: { files } }),
  };
}
