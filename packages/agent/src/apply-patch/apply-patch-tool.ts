import type { RegisteredTool, ToolArguments, ToolOutput } from "@switchyard/contracts";
import { type ExecutionEnvironment, toEngineError } from "@switchyard/contracts";
import { withFileLock } from "../tools/file-lock.ts";
import { objectSchema } from "../tools/object-schema.ts";
import { textArgument } from "../tools/tool-argument.ts";
import { type AppliedOperation, applyOperation } from "./apply-operation.ts";
import { parsePatch } from "./parse-patch.ts";
import type { PatchOperation } from "./patch.ts";

/** Outcome of a patch's operations. */
interface PatchReport {
  readonly applied: readonly AppliedOperation[];
  /** Patch operation that failed, with its error. Later operations are not attempted. */
  readonly failed?: { readonly operation: PatchOperation; readonly error: unknown } | undefined;
}

function describe({ type, path, from, replaced }: AppliedOperation): string {
  const note = replaced === true ? " (overwrote the existing file)" : "";
  switch (type) {
    case "add":
      return `A ${path}${note}`;
    case "delete":
      return `D ${path}`;
    case "update":
      return `M ${path}`;
    case "move":
      return `R ${from ?? ""} -> ${path}${note}`;
  }
}

function render({ applied, failed }: PatchReport, total: number): string {
  const done = applied.map(describe).join("\n");
  if (failed === undefined) return `Applied the patch:\n${done}`;
  const error = toEngineError(failed.error);
  const { type, path } = failed.operation;
  const rest = total - applied.length - 1;
  return [
    `The patch failed at operation ${applied.length + 1} of ${total} (${type} ${path}): ${error.message}`,
    error.remedy,
    applied.length === 0 ? "No file was changed." : `These operations before it were applied and stay:\n${done}`,
    ...(rest === 0 ? [] : [`${rest} operations after it were not tried.`]),
  ].join("\n");
}

async function applyAll(
  operations: readonly PatchOperation[],
  environment: ExecutionEnvironment,
): Promise<PatchReport> {
  const applied: AppliedOperation[] = [];
  for (const operation of operations) {
    try {
      applied.push(await applyOperation(operation, environment));
    } catch (error) {
      return { applied, failed: { operation, error } };
    }
  }
  return { applied };
}

function pathsOf(operation: PatchOperation): string[] {
  return operation.type === "update" && operation.moveTo !== undefined
    ? [operation.path, operation.moveTo]
    : [operation.path];
}

async function applyPatch(args: ToolArguments, environment: ExecutionEnvironment): Promise<ToolOutput> {
  const operations = parsePatch(textArgument(args, "patch"));
  const report = await withFileLock(environment, operations.flatMap(pathsOf), () => applyAll(operations, environment));
  return {
    content: render(report, operations.length),
    isError: report.failed !== undefined,
    details: {
      applied: report.applied,
      ...(report.failed === undefined ? {} : { error: toEngineError(report.failed.error).toWire() }),
    },
  };
}

/**
 * Applies a patch in the v4a format. Operations are applied in order. If one fails, the earlier ones are not reverted,
 * and the output lists them. See loop: apply_patch, §3.4, Appendix A.
 */
export const applyPatchTool: RegisteredTool = {
  definition: {
    name: "apply_patch",
    description:
      "Apply code changes using the patch format. Supports creating, deleting, moving and modifying files in a single operation.",
    parameters: objectSchema(
      { patch: { type: "string", description: 'The patch, from "*** Begin Patch" to "*** End Patch".' } },
      ["patch"],
    ),
  },
  effects: "unsafe",
  needsHost: false,
  targets: (args) => ({ paths: parsePatch(textArgument(args, "patch")).flatMap(pathsOf) }),
  execute: applyPatch,
};
