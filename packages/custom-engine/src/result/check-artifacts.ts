import {
  EngineError,
  hasControlCharacter,
  MAX_INLINE_BYTES,
  MAX_INLINE_TOTAL_BYTES,
  type SessionArtifactFile,
  type SessionArtifacts,
} from "@switchyard/contracts";

/**
 * Throws `result.invalid` or `result.too_large`, with the artifact's index in the list, if an artifact is invalid. A
 * valid artifact has a name and a source, a media type without control characters, and inline content within the
 * limits. See custom-engine: artifacts contract, result bounds.
 */
export function checkArtifacts(artifacts: SessionArtifacts | undefined): void {
  let total = 0;
  for (const [index, file] of (artifacts?.files ?? []).entries()) {
    const field = `artifacts.files[${index}]`;
    if (file.name.trim() === "") throw new EngineError("result.invalid", { problem: `${field}: name is required` });
    if (!hasSource(file)) {
      const problem = `${field}: one of path, url, content and content_base64 is required`;
      throw new EngineError("result.invalid", { problem });
    }
    if (file.content_type !== undefined && hasControlCharacter(file.content_type)) {
      const problem = `${field}: content_type contains a control character`;
      throw new EngineError("result.invalid", { problem });
    }
    const size = inlineBytes(file);
    if (size > MAX_INLINE_BYTES)
      throw tooLarge(`${field}: inline content size ${size} exceeds per-file limit`, MAX_INLINE_BYTES);
    total += size;
    if (total > MAX_INLINE_TOTAL_BYTES) {
      throw tooLarge(`${field}: total inline content size exceeds the limit`, MAX_INLINE_TOTAL_BYTES);
    }
  }
}

function hasSource({ path, url, content, content_base64 }: SessionArtifactFile): boolean {
  return (
    [path, url].some((source) => source !== undefined && source !== "") ||
    [content, content_base64].some((source) => source !== undefined)
  );
}

/** Returns the decoded size of an artifact's inline content, in bytes. */
function inlineBytes({ content, content_base64: base64 }: SessionArtifactFile): number {
  if (content !== undefined) return Buffer.byteLength(content);
  if (base64 === undefined) return 0;
  const estimate = Math.floor((base64.length * 3) / 4);
  // The estimate includes line breaks and padding of base64. The exact size matters only near the limit.
  return estimate <= MAX_INLINE_BYTES ? estimate : Buffer.byteLength(base64.replace(/\s/gu, ""), "base64");
}

function tooLarge(problem: string, maxBytes: number): EngineError {
  return new EngineError("result.too_large", { problem, maxBytes });
}
