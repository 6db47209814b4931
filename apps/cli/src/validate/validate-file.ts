import { EngineError, type SessionResult } from "@switchyard/contracts";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { readEngineFile } from "../engine/engine-file.ts";
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
 * Validates a `SessionResult`, including what its schema cannot express: artifacts without a source, and contents that
 * are too large.
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

/**
 * Validates an engine configuration. Resolves references to environment variables, so that an unset variable is
 * reported here rather than during a run.
 */
async function inspectEngine(
  context: CommandContext,
  data: unknown,
  { file, project }: { file: string; project: string | undefined },
): Promise<Finding> {
  const { env, stderr } = context;
  const [{ loadEngineConfig }, { AGENT_ENGINE }] = await Promise.all([
    import("@switchyard/custom-engine"),
    import("@switchyard/runner"),
  ]);
  try {
    if (await isValidAdapter(context, data, project)) return { file, type: "EngineConfig", valid: true, problems: [] };
    const { warnings } = loadEngineConfig(data, { env, builtIn: [AGENT_ENGINE] });
    for (const warning of warnings) stderr.write(`warning: ${neutraliseControls(warning)}\n`);
    return { file, type: "EngineConfig", valid: true, problems: [] };
  } catch (error) {
    if (EngineError.is(error, "config.invalid")) {
      return { file, type: "EngineConfig", valid: false, problems: [error.message] };
    }
    if (!EngineError.is(error, "config.invalid_engine")) throw error;
    return { file, type: "EngineConfig", valid: false, problems: String(error.details["problems"]).split("\n") };
  }
}

/**
 * Returns whether data is the configuration of an adapter. Throws `config.invalid` if the adapter cannot be created
 * from the configuration.
 */
async function isValidAdapter(context: CommandContext, data: unknown, project: string | undefined): Promise<boolean> {
  const [{ openAdapterCatalog, assertTrusted }, { adapterBlockOf }] = await Promise.all([
    import("@switchyard/engine-catalog"),
    import("@switchyard/runner"),
  ]);
  const catalog = await openAdapterCatalog(context, project);
  const found = adapterBlockOf(data, { kinds: catalog.kinds });
  if (found === undefined) {
    const name = engineNameOf(data);
    if (project === undefined && name !== undefined) await assertTrusted(context, name, context.workingDirectory);
    return false;
  }
  (await catalog.load(found.kind)).create(found.block);
  return true;
}

/**
 * Returns the engine name in an adapter configuration. `undefined` for a custom engine, where `name` does not select an
 * adapter.
 */
function engineNameOf(data: unknown): string | undefined {
  const outer = Object(data);
  const engine: unknown = Reflect.get(outer, "engine") ?? outer;
  const name: unknown = Reflect.get(Object(engine), "name");
  return typeof name === "string" && !Reflect.has(Object(engine), "custom") ? name : undefined;
}

function looksLikeResult(data: unknown): boolean {
  if (typeof data !== "object" || data === null || "messages" in data) return false;
  return "exit_code" in data || "final_message" in data;
}
