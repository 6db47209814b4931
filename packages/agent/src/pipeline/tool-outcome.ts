import type { OutputReference, ToolOutput } from "@switchyard/contracts";
import { EngineError, findEngineError, type ImagePart, messageOf } from "@switchyard/contracts";
import { isImage, isListOf } from "../checkpoint/is-part.ts";

/** Outcome of a call, before its output is truncated for the model. */
export interface ToolOutcome {
  /** Complete output. */
  readonly content: string;
  /** True if the call failed. */
  readonly isError: boolean;
  /** True if the tool was never executed. */
  readonly isCancelled: boolean;
  /** Plain data for programs. `undefined` if there is none. */
  readonly details?: unknown;
  /** Images for the model. `undefined` if there are none. */
  readonly images?: readonly ImagePart[] | undefined;
  /** Reference to the stored complete output. Set if `content` contains only the head and tail of the output. */
  readonly outputRef?: OutputReference | undefined;
}

function hasContent(value: unknown): value is ToolOutput {
  return typeof value === "object" && value !== null && "content" in value && typeof value.content === "string";
}

/**
 * Converts the return value of an executor to an outcome. Untyped executors may return any value. Throws if `images` is
 * invalid.
 */
export function toOutcome(output: unknown): ToolOutcome {
  if (typeof output === "string") return { content: output, isError: false, isCancelled: false };
  if (!hasContent(output)) {
    const content = output === undefined ? "" : (JSON.stringify(output) ?? String(output));
    return { content, isError: false, isCancelled: false };
  }
  const { content, details, images, outputRef } = output;
  // Images become part of the history. An invalid image could neither be sent to a provider nor stored.
  if (images !== undefined && !isListOf(images, isImage)) throw new Error("it returned invalid images");
  return { content, isError: output.isError === true, isCancelled: false, details, images, outputRef };
}

/**
 * Creates the outcome of a failed call. Its content tells the model what is wrong and what to do. See loop: §2.5,
 * Appendix B.
 */
export function failedOutcome(error: EngineError): ToolOutcome {
  return {
    content: `${error.message}\n${error.remedy}`,
    isError: true,
    isCancelled: false,
    details: { error: error.toWire() },
  };
}

/**
 * Creates the outcome for an error that an executor threw: "Tool error (NAME): …". See loop: execute_single_tool, §2.5.
 */
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
