import type { LanguageModelV3FilePart } from "@ai-sdk/provider";
import { type AudioPart, type DocumentPart, EngineError, type ImagePart } from "@switchyard/contracts";
import type { PromptRules } from "./prompt-rules.ts";

/** Placeholder for the bytes of a file that is read later. */
const EMPTY = "";

type Media = ImagePart | AudioPart | DocumentPart;

const DATA_URL = /^data:([^;,]+)(?:;[^,]*)?;base64,(.*)$/s;

/**
 * Returns the bytes or the URL of an image or document that is not a file; a `data:` URL becomes bytes. Throws
 * `llm.unsupported_part` for URLs other than http and https.
 */
export function mediaSource(
  part: Media,
  provider: string,
): { data: string; mediaType: string } | { url: URL; mediaType: string } {
  const { data, url, mediaType } = part;
  if (data !== undefined) return { data, mediaType };
  const inline = url === undefined ? null : DATA_URL.exec(url);
  if (inline !== null) return { data: inline[2] ?? "", mediaType: inline[1] ?? mediaType };
  const address = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol !== "https:" && address?.protocol !== "http:") {
    throw new EngineError("llm.unsupported_part", { provider, part: `${part.type} without bytes or a web address` });
  }
  return { url: address, mediaType };
}

/** Converts an image or document to the AI SDK's file format. */
export function toFilePart(part: Media, { provider, files }: PromptRules): LanguageModelV3FilePart {
  const source =
    part.path === undefined ? mediaSource(part, provider) : { data: EMPTY, mediaType: part.mediaType, path: part.path };
  const file: LanguageModelV3FilePart = {
    type: "file",
    data: "url" in source ? source.url : source.data,
    mediaType: source.mediaType,
  };
  if (part.type === "document" && part.name !== undefined) file.filename = part.name;
  if ("path" in source) {
    files.add(source.path, (base64) => {
      file.data = base64;
    });
  }
  return file;
}
