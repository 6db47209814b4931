import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { readEngineFile } from "../engine/engine-file.ts";
import { engineHostOf } from "../engine/open-engine.ts";
import { readJson } from "../input/read-json.ts";

/** Options for `validateFile`. */
interface ValidateOptions {
  readonly file: string;
  readonly json: boolean;
  /** Whether to include adapters from the current folder's packages. */
  readonly trustWorkspace?: boolean;
}

/**
 * Detects whether a file is a SessionInput, a SessionResult, an engine configuration or an evaluation, and reports problems. Resolves
 * with exit code 0 or 2. Rejects with `input.unreadable`, `input.malformed` and `config.malformed`.
 */
export async function validateFile(context: CommandContext, options: ValidateOptions): Promise<number> {
  const { file } = options;
  const isFolder = (await stat(resolve(context.workingDirectory, file)).catch(() => undefined))?.isDirectory();
  const found =
    isFolder === true || /\.(?:ya?ml|json|toml)$/iu.test(file)
      ? await (await import("./check-evaluation.ts")).checkEvaluation(context, file)
      : undefined;
  if (found !== undefined) return report(context, options, found);
  const project = options.trustWorkspace === true ? context.workingDirectory : undefined;
  const isYaml = /\.ya?ml$/iu.test(file);
  const data = isYaml ? (await readEngineFile(context, file)).document : await readJson(context, file);
  const { checkDocument } = await import("@switchyard/engine-catalog");
  const known = isYaml ? "EngineConfig" : undefined;
  return report(context, options, await checkDocument(engineHostOf(context), data, { type: known, project }));
}

function report(
  context: CommandContext,
  options: ValidateOptions,
  { type, problems }: { readonly type: string; readonly problems: readonly string[] },
): number {
  const { file } = options;
  const valid = problems.length === 0;
  if (options.json) context.stdout.write(`${toPlainJson({ file, type, valid, problems })}\n`);
  else if (valid) context.stdout.write(`${neutraliseControls(file)} is a valid ${type}.\n`);
  if (valid) return 0;
  if (options.json) return 2;
  if (type === "Evaluation")
    throw new EngineError("config.invalid_eval", { path: file, problems: problems.join("\n") });
  if (type === "EngineConfig") throw new EngineError("config.invalid_engine", { problems: problems.join("\n") });
  throw new EngineError("input.invalid", { path: file, expected: type, problem: problems.join("; ") });
}
