import { EngineError } from "@switchyard/contracts";

/** Words by which an API refuses a request because of an image. */
export interface ImageRefusalWording {
  readonly words: RegExp;
  /** Where the wording was seen. */
  readonly source: string;
}

/** Wordings of image refusals; the status must be one of {@link REFUSAL_STATUSES} as well. */
export const IMAGE_REFUSALS: readonly ImageRefusalWording[] = [
  { words: /could not process image/i, source: "https://github.com/anthropics/claude-code/issues/1747" },
  { words: /unsupported image/i, source: "https://github.com/marketing-factory/ai-filemetadata/issues/26" },
  { words: /unable to process input image/i, source: "https://github.com/pollinations/pollinations/issues/4157" },
  { words: /unsupported mime type/i, source: "https://github.com/charmbracelet/crush/issues/995" },
  {
    words: /unsupported content part type: \W*image_url/i,
    source: "https://github.com/ggml-org/llama.cpp/issues/12947",
  },
];

/** Any other wording that names an image: only requests with images are judged, and images are what can be left out. */
const NAMES_IMAGE = /\b(?:images?|image_url|vision|multimodal)\b/i;

/** Bad request, payload too large, unsupported media type, unprocessable, and the 500 of llama.cpp. */
const REFUSAL_STATUSES: ReadonlySet<unknown> = new Set([400, 404, 413, 415, 422, 500]);

/** Whether a failed call was refused because of an image that it carried. */
export function isImageRefusal(error: unknown): error is EngineError {
  if (!EngineError.is(error) || !error.code.startsWith("llm.")) return false;
  const { status, problem } = error.details;
  if (status !== undefined && !REFUSAL_STATUSES.has(status)) return false;
  if (status === undefined && error.code !== "llm.invalid_request") return false;
  const said = typeof problem === "string" ? problem : error.message;
  return NAMES_IMAGE.test(said) || IMAGE_REFUSALS.some(({ words }) => words.test(said));
}
