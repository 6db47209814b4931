import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { readFileText } from "../tools/decode-text.ts";
import { applyHunks } from "./apply-hunks.ts";
import type { AddFile, DeleteFile, PatchOperation, UpdateFile } from "./patch.ts";

/** One file that a patch changed. */
export interface AppliedOperation {
  /** What was done. */
  readonly type: "add" | "delete" | "update" | "move";
  /** Path of the file; the new one when it was moved. */
  readonly path: string;
  /** Path it was moved from. */
  readonly from?: string | undefined;
}

async function assertFile(environment: ExecutionEnvironment, path: string): Promise<void> {
  const { kind } = await environment.stat(path);
  if (kind !== "file") throw new EngineError("environment.not_a_file", { path, found: kind });
}

async function add(operation: AddFile, environment: ExecutionEnvironment): Promise<AppliedOperation> {
  const { path, lines } = operation;
  await environment.writeFile(path, lines.map((line) => `${line}\n`).join(""));
  return { type: "add", path };
}

async function remove({ path }: DeleteFile, environment: ExecutionEnvironment): Promise<AppliedOperation> {
  await assertFile(environment, path);
  await environment.remove(path);
  return { type: "delete", path };
}

async function update(operation: UpdateFile, environment: ExecutionEnvironment): Promise<AppliedOperation> {
  const { path, moveTo, hunks } = operation;
  await assertFile(environment, path);
  if (hunks.length === 0 && moveTo !== undefined) {
    await environment.rename(path, moveTo);
    return { type: "move", path: moveTo, from: path };
  }
  const file = await readFileText(environment, path);
  const text = file.mark + applyHunks(file.text, hunks, path);
  await environment.writeFile(moveTo ?? path, text);
  if (moveTo === undefined || moveTo === path) return { type: "update", path };
  await environment.remove(path);
  return { type: "move", path: moveTo, from: path };
}

/** Carries out one operation; the file is changed as a whole or not at all. Rejects with `patch.*` or `environment.*`. */
export async function applyOperation(
  operation: PatchOperation,
  environment: ExecutionEnvironment,
): Promise<AppliedOperation> {
  switch (operation.type) {
    case "add":
      return add(operation, environment);
    case "delete":
      return remove(operation, environment);
    case "update":
      return update(operation, environment);
  }
}
