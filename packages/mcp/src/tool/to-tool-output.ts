import { Buffer } from "node:buffer";
import type { ImagePart, ToolOutput } from "@switchyard/contracts";
import { cleanLine, cleanText } from "../text/clean-text.ts";
import { isRecord } from "./clean-schema.ts";

/** Limits of the output of one MCP tool call. */
export interface OutputBounds {
  /** Maximum length of the output's text, in characters. */
  readonly maxChars: number;
  /** Maximum number of images. */
  readonly maxImages: number;
  /** Maximum size of one image, in base64 characters. */
  readonly maxImageChars: number;
  /** Maximum size of structured content as JSON, in characters. */
  readonly maxStructuredChars: number;
}

/** Default limits of the output of one MCP tool call. */
export const OUTPUT_BOUNDS: OutputBounds = {
  maxChars: 1_000_000,
  maxImages: 8,
  maxImageChars: 10 * 1024 * 1024,
  maxStructuredChars: 64 * 1024,
};

const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MAX_ADDRESS_CHARS = 2_048;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function line(value: unknown, fallback = ""): string {
  return typeof value === "string" ? cleanLine(value, MAX_ADDRESS_CHARS) : fallback;
}

/** Reader of one result. */
class OutputReader {
  readonly #bounds: OutputBounds;
  readonly #texts: string[] = [];
  readonly images: ImagePart[] = [];
  #left: number;
  #dropped = 0;

  constructor(bounds: OutputBounds) {
    this.#bounds = bounds;
    this.#left = bounds.maxChars;
  }

  get text(): string {
    const note = this.#dropped === 0 ? [] : [`[${this.#dropped} more characters of the result were left out]`];
    return [...this.#texts, ...note].join("\n");
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0 && this.images.length === 0;
  }

  say(text: string): void {
    const head = text.slice(0, Math.max(0, this.#left)).replace(/[\ud800-\udbff]$/, "");
    this.#dropped += text.length - head.length;
    this.#left -= head.length;
    if (head !== "" || text === "") this.#texts.push(cleanText(head));
  }

  show(data: unknown, mediaType: unknown): void {
    const type = line(mediaType, "unknown type").toLowerCase();
    const problem = this.#imageProblem(data, type);
    if (problem !== undefined) this.say(`[image (${type}) left out: ${problem}]`);
    else if (typeof data === "string") this.images.push({ type: "image", data, mediaType: type });
  }

  #imageProblem(data: unknown, type: string): string | undefined {
    if (!IMAGE_TYPES.has(type)) return "models do not take this type";
    if (typeof data !== "string" || data.length % 4 !== 0) return "it is not base64";
    if (data.length > this.#bounds.maxImageChars) return "it is too large";
    if (!BASE64.test(data)) return "it is not base64";
    return this.images.length >= this.#bounds.maxImages ? "there are too many" : undefined;
  }
}

function readResource(reader: OutputReader, resource: unknown): void {
  const { uri, mimeType, text, blob } = isRecord(resource) ? resource : {};
  const type = line(mimeType, "unknown type");
  reader.say(`[resource ${line(uri, "without address")} (${type})]`);
  if (typeof text === "string") reader.say(text);
  else if (typeof blob !== "string") return;
  else if (type.startsWith("image/")) reader.show(blob, type);
  else reader.say(`[${Buffer.byteLength(blob, "base64")} bytes that are not text]`);
}

function describeLink(link: Readonly<Record<string, unknown>>): string {
  const about = line(link["description"]);
  return `[link ${line(link["name"])}: ${line(link["uri"])}]${about === "" ? "" : ` ${about}`}`;
}

function readBlock(reader: OutputReader, block: unknown): void {
  const { type, ...content } = isRecord(block) ? block : {};
  if (type === "text") reader.say(typeof content["text"] === "string" ? content["text"] : "");
  else if (type === "image") reader.show(content["data"], content["mimeType"]);
  else if (type === "resource") readResource(reader, content["resource"]);
  else if (type === "resource_link") reader.say(describeLink(content));
  else reader.say(`[content of type ${line(type, "unknown")}, ${line(content["mimeType"], "not shown")}]`);
}

/** Returns structured content with its JSON text. `undefined` if the content is too large or cannot be serialised. */
function structuredOf(value: unknown, maxChars: number): { value: unknown; json: string } | undefined {
  if (value === undefined) return undefined;
  try {
    const json = JSON.stringify(value);
    return json.length > maxChars ? undefined : { value, json };
  } catch {
    return undefined;
  }
}

/**
 * Converts the result of a call to a tool's output. Texts, resources and links become text, and images remain images.
 * Structured content becomes details. If the result contains neither text nor images, the structured content becomes
 * text, too. The result is untrusted, so texts are truncated and control characters are removed.
 */
export function toToolOutput(
  result: Readonly<Record<string, unknown>>,
  bounds: OutputBounds = OUTPUT_BOUNDS,
): ToolOutput {
  const reader = new OutputReader(bounds);
  const { content, structuredContent, isError } = result;
  if (Array.isArray(content)) for (const block of content) readBlock(reader, block);
  const structured = structuredOf(structuredContent, bounds.maxStructuredChars);
  if (reader.isEmpty && structured !== undefined) reader.say(structured.json);
  return {
    content: reader.text,
    ...(isError === true ? { isError: true } : {}),
    ...(reader.images.length === 0 ? {} : { images: reader.images }),
    ...(structured === undefined ? {} : { details: { structuredContent: structured.value } }),
  };
}
