import { EngineError } from "@switchyard/contracts";

/** Wording with which an API rejects a request because of an image. */
export interface ImageRefusalWording {
  readonly pattern: RegExp;
  /** URL of a public report that quotes the API's message. */
  readonly source: string;
}

/** Known wordings of image rejections. The status must also be one of {@link REFUSAL_STATUSES}. */
export const IMAGE_REFUSALS: readonly ImageRefusalWording[] = [
  { pattern: /could not process image/i, source: "https://github.com/anthropics/claude-code/issues/1747" },
  { pattern: /unsupported image/i, source: "https://github.com/marketing-factory/ai-filemetadata/issues/26" },
  { pattern: /unable to process input image/i, source: "https://github.com/pollinations/pollinations/issues/4157" },
  { pattern: /unsupported mime type/i, source: "https://github.com/charmbracelet/crush/issues/995" },
  {
    pattern: /unsupported content part type: \W*image_url/i,
    source: "https://github.com/ggml-org/llama.cpp/issues/12947",
  },
];

/**
 * Matches error messages that mention an image, for rejections whose wording is not in `IMAGE_REFUSALS`. Other errors
 * may match too, so the caller retries only requests with images, and removes the images first.
 */
const NAMES_IMAGE = /\b(?:images?|image_url|vision|multimodal)\b/i;

/** HTTP statuses of image rejections. llama.cpp responds with 500. */
const REFUSAL_STATUSES: ReadonlySet<unknown> = new Set([400, 404, 413, 415, 422, 500]);

/** Returns whether an API rejected a model call because of an image in the request. */
export function isImageRefusal(error: unknown): error is EngineError {
  if (!EngineError.is(error) || !error.code.startsWith("llm.")) return false;
  const { status, problem } = error.details;
  if (status !== undefined && !REFUSAL_STATUSES.has(status)) return false;
  if (status === undefined && error.code !== "llm.invalid_request") return false;
  const text = typeof problem === "string" ? problem : error.message;
  return NAMES_IMAGE.test(text) || IMAGE_REFUSALS.some(({ pattern }) => pattern.test(text));
}
