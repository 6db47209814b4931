import { EngineError } from "@switchyard/contracts";
import { type Checked, checkSessionInput, checkSessionResult } from "../input/check-document.ts";
import { readJson } from "../input/read-json.ts";
import { neutraliseControls, toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../world/world.ts";

const MAX_PROBLEMS = 20;

/** What `switchyard validate --json` prints. */
interface Finding {
  file: string;
  type: "SessionInput" | "SessionResult";
  valid: boolean;
  problems: string[];
}

/**
 * Says whether a file is a SessionInput or a SessionResult, or what keeps it from being one. Resolves with exit
 * code 0 or 2; rejects with `input.unreadable` and `input.malformed`.
 */
export async function validateFile(world: World, options: { file: string; json: boolean }): Promise<number> {
  const finding = inspect(options.file, await readJson(world, options.file));
  if (options.json) world.stdout.write(`${toPlainJson(finding)}\n`);
  if (finding.valid) {
    if (!options.json) world.stdout.write(`${neutraliseControls(options.file)} is a valid ${finding.type}.\n`);
    return 0;
  }
  if (options.json) return 2;
  const details = { path: finding.file, expected: finding.type, problem: finding.problems.join("; ") };
  throw new EngineError("input.invalid", details);
}

function inspect(file: string, data: unknown): Finding {
  const type = looksLikeResult(data) ? "SessionResult" : "SessionInput";
  const checked: Checked<unknown> = type === "SessionResult" ? checkSessionResult(data) : checkSessionInput(data);
  const problems = checked.valid ? [] : checked.problems;
  const shown = problems.slice(0, MAX_PROBLEMS);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  return { file, type, valid: checked.valid, problems: shown };
}

function looksLikeResult(data: unknown): boolean {
  if (typeof data !== "object" || data === null || "messages" in data) return false;
  return "exit_code" in data || "final_message" in data;
}
