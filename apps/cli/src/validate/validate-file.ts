import { EngineError, type SessionResult } from "@switchyard/contracts";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { readEngineFile } from "../engine/engine-file.ts";
import { engineHostOf } from "../engine/open-engine.ts";
import { type Checked, checkSessionInput, checkSessionResult } from "../input/check-document.ts";
import { readJson } from "../input/read-json.ts";

const MAX_PROBLEMS = 20;

/** Options for `validateFile`. */
interface ValidateOptions {
  readonly file: string;
  readonly json: boolean;
  /** Whether to include adapters from the current folder's packages. */
  readonly trustWorkspace?: boolean;
}

/** Output of `switchyard validate --json`. */
interface Finding {
  file: string;
  type: "SessionInput" | "SessionResult" | "EngineConfig";
  valid: boolean;
  problems: string[];
}

/**
 * Detects whether a file is a SessionInput, a SessionResult or an engine configuration, and reports problems. Resolves
 * with exit code 0 or 2. Rejects with `input.unreadable`, `input.malformed` and `config.malformed`.
 */
export async function validateFile(context: CommandContext, options: ValidateOptions): Promise<number> {
  const { file } = options;
  const project = options.trustWorkspace === true ? context.workingDirectory : undefined;
  const isYaml = /\.ya?ml$/iu.test(file);
  const data = isYaml ? (await readEngineFile(context, file)).document : await readJson(context, file);
  const finding =
    isYaml || looksLikeEngine(data) ? await inspectEngine(context, data, { file, project }) : await inspect(file, data);
  if (options.json) context.stdout.write(`${toPlainJson(finding)}\n`);
  if (finding.valid) {
    if (!options.json) context.stdout.write(`${neutraliseControls(options.file)} is a valid ${finding.type}.\n`);
    return 0;
  }
  if (options.json) return 2;
  if (finding.type === "EngineConfig") {
    throw new EngineError("config.invalid_engine", { problems: finding.problems.join("\n") });
  }
  const details = { path: finding.file, expected: finding.type, problem: finding.problems.join("; ") };
  throw new EngineError("input.invalid", details);
}

async function inspect(file: string, data: unknown): Promise<Finding> {
  const type = looksLikeResult(data) ? "SessionResult" : "SessionInput";
  const checked: Checked<unknown> = type === "SessionResult" ? await checkResult(data) : checkSessionInput(data);
  const problems = checked.valid ? [] : checked.problems;
  const shown = problems.slice(0, MAX_PROBLEMS);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  return { file, type, valid: checked.valid, problems: shown };
}

/**
 * Validates a `SessionResult`, including problems that the schema cannot express: artifacts without a source, and
 * contents that are too large.
 */
async function checkResult(data: unknown): Promise<Checked<SessionResult>> {
  const checked = checkSessionResult(data);
  if (!checked.valid) return checked;
  const { checkArtifacts } = await import("@switchyard/custom-engine");
  try {
    checkArtifacts(checked.value.artifacts);
    return checked;
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    return { valid: false, problems: [String(error.details["problem"])] };
  }
}

function looksLikeEngine(data: unknown): boolean {
  if (typeof data !== "object" || data === null || "messages" in data) return false;
  return "engine" in data ? typeof data.engine === "object" : "name" in data && ("custom" in data || "adapter" in data);
}

async function inspectEngine(
  context: CommandContext,
  data: unknown,
  { file, project }: { file: string; project: string | undefined },
): Promise<Finding> {
  const { checkEngineConfig } = await import("@switchyard/engine-catalog");
  const problems = [...(await checkEngineConfig(engineHostOf(context), data, project))];
  return { file, type: "EngineConfig", valid: problems.length === 0, problems };
}

function looksLikeResult(data: unknown): boolean {
  if (typeof data !== "object" || data === null || "messages" in data) return false;
  return "exit_code" in data || "final_message" in data;
}
