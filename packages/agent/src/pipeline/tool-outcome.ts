import type { OutputReference, ToolOutput } from "@switchyard/contracts";
import { EngineError, findEngineError, type ImagePart, messageOf } from "@switchyard/contracts";
import { isImage, isListOf } from "../checkpoint/is-part.ts";

/** Outcome of a call, before its output is truncated for the model. */
export interface ToolOutcome {
  /** Complete output. */
  readonly content: string;
  /** Whether the call failed. */
  readonly isError: boolean;
  /** Whether it was never executed. */
  readonly isCancelled: boolean;
  /** Plain data for programs. */
  readonly details?: unknown;
  /** Images for the model. */
  readonly images?: readonly ImagePart[] | undefined;
  /** Reference to the complete output, if `content` is only its head and tail. */
  readonly outputRef?: OutputReference | undefined;
}

function hasContent(value: unknown): value is ToolOutput {
  return typeof value === "object" && value !== null && "content" in value && typeof value.content === "string";
}

/**
 * Converts the return value of an executor to an outcome. Executors without type checking may return anything. Throws
 * an error that describes the problem.
 */
export function toOutcome(output: unknown): ToolOutcome {
  if (typeof output === "string") return { content: output, isError: false, isCancelled: false };
  if (!hasContent(output)) {
    const content = output === undefined ? "" : (JSON.stringify(output) ?? String(output));
    return { content, isError: false, isCancelled: false };
  }
  const { content, details, images, outputRef } = output;
  // Images stay in the history, where an invalid one could be neither sent nor stored.
  if (images !== undefined && !isListOf(images, isImage)) throw new Error("it returned images that are none");
  return { content, isError: output.isError === true, isCancelled: false, details, images, outputRef };
}

/** Returns a failed outcome, written for the model: the problem and what to do. loop: §2.5, Appendix B. */
export function failedOutcome(error: EngineError): ToolOutcome {
  return {
    content: `${error.message}\n${error.remedy}`,
    isError: true,
    isCancelled: false,
    details: { error: error.toWire() },
  };
}

/** Returns the outcome for an error that an executor threw: "Tool error (NAME): …". loop: execute_single_tool, §2.5. */
export function thrownOutcome(tool: string, thrown: unknown): ToolOutcome {
  const cause = findEngineError(thrown);
  const message = cause?.message ?? messageOf(thrown);
  const problem = cause === undefined ? message : `${message}\n${cause.remedy}`;
  const error = cause ?? new EngineError("tool.failed", { tool, problem: message }, { cause: thrown });
  return {
    content: `Tool error (${tool}): ${problem}`,
    isError: true,
    isCancelled: false,
    details: { error: error.toWire() },
  };
}
