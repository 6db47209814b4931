import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { engineHostOf } from "../engine/open-engine.ts";

/** Result of validating an evaluation file. */
export interface CheckedEvaluation {
  readonly type: "Evaluation";
  readonly problems: readonly string[];
}

/**
 * Validates an evaluation: a file with its cases, or a folder with tasks in Harbor's format. Also validates the engines
 * that the evaluation configures. Resolves with `undefined` if the file is not an evaluation. Settings without effect
 * are printed as warnings. Rejects with `input.unreadable`.
 */
export async function checkEvaluation(context: CommandContext, file: string): Promise<CheckedEvaluation | undefined> {
  const path = resolve(context.workingDirectory, file);
  const { isEvalDocument, parseEvalSuite, readHarborSuite } = await import("@switchyard/evaluation");
  try {
    let suite = await readHarborSuite(path);
    if (suite === undefined) {
      const { parseEngineFile, readText } = await import("@switchyard/runner");
      const text = await readText(path, file);
      const document = await parseEngineFile(text, file).catch(() => undefined);
      if (!isEvalDocument(document)) return undefined;
      suite = await parseEvalSuite(text, path);
    }
    const { engines, warnings = [] } = suite;
    for (const warning of warnings) context.stderr.write(`warning: ${neutraliseControls(warning)}\n`);
    const { checkDocument } = await import("@switchyard/engine-catalog");
    const problems: string[] = [];
    for (const { spec } of engines) {
      if (typeof spec === "string" || spec["custom"] === undefined) continue;
      const found = await checkDocument(
        engineHostOf(context),
        { engine: spec },
        { type: "EngineConfig", project: undefined },
      );
      problems.push(...found.problems);
    }
    return { type: "Evaluation", problems };
  } catch (error) {
    const problems = EngineError.is(error, "config.invalid_eval") ? error.details["problems"] : undefined;
    if (typeof problems !== "string") throw error;
    return { type: "Evaluation", problems: problems.split("\n") };
  }
}
