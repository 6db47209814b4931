import { access, constants, mkdir, stat } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";
import type { EvalSuite } from "../suite/eval-suite.ts";

/**
 * Creates the output folder of an evaluation, readable only by the user, and checks that results can be written to it.
 * Rejects with `output.unwritable`. Also rejects a folder within the workspace of a case, because that workspace is
 * copied for each run.
 */
export async function openEvalFolder(path: string, { cases }: Pick<EvalSuite, "cases">): Promise<void> {
  const template = cases.find(({ workspace }) => workspace !== undefined && isAtOrBelow(workspace, path));
  if (template !== undefined) {
    const problem = `the workspace ${template.workspace} would be copied into itself; choose a folder outside of it`;
    throw new EngineError("output.unwritable", { path, problem });
  }
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    if (!(await stat(path)).isDirectory()) throw new Error("it is not a folder");
    await access(path, constants.W_OK);
  } catch (error) {
    throw new EngineError("output.unwritable", { path, problem: fileProblem(error) }, { cause: error });
  }
}

function isAtOrBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
