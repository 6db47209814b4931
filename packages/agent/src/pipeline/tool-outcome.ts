import type { OutputReference, ToolOutput } from "@switchyard/contracts";
import { EngineError, findEngineError, type ImagePart, messageOf } from "@switchyard/contracts";
import { isImage, isListOf } from "../checkpoint/is-part.ts";

/** How a call ended, before its output is cut for the model. */
export interface ToolOutcome {
  /** The whole output. */
  readonly content: string;
  /** Whether the call failed. */
  readonly isError: boolean;
  /** Whether it was never carried out. */
  readonly isCancelled: boolean;
  /** Plain data for programs. */
  readonly details?: unknown;
  /** Images for the model. */
  readonly images?: readonly ImagePart[] | undefined;
  /** Where the whole output is kept when `content` is only its head and tail. */
  readonly outputRef?: OutputReference | undefined;
}

function hasContent(value: unknown): value is ToolOutput {
  return typeof value === "object" && value !== null && "content" in value && typeof value.content === "string";
}

/** What an executor returned as an outcome; one written without types may return anything. Throws what is wrong with it. */
export function toOutcome(output: unknown): ToolOutcome {
  if (typeof output === "string") return { content: output, isError: false, isCancelled: false };
  if (!hasContent(output)) {
    const content = output === undefined ? "" : (JSON.stringify(output) ?? String(output));
    return { content, isError: false, isCancelled: false };
  }
  const { content, details, images, outputRef } = output;
  // They stay in the history, where one that is none could be neither sent nor kept.
  if (images !== undefined && !isListOf(images, isImage)) throw new Error("it returned images that are none");
  return { content, isError: output.isError === true, isCancelled: false, details, images, outputRef };
}

/** A failed call in words that help the model: what is wrong, and what to do next. loop: §2.5, Appendix B. */
export function failedOutcome(error: EngineError): ToolOutcome {
  return {
    content: `${error.message}\n${error.remedy}`,
    isError: true,
    isCancelled: false,
    details: { error: error.toWire() },
  };
}

/** What an executor threw, as a failed call: "Tool error (NAME): …". loop: execute_single_tool, §2.5. */
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
