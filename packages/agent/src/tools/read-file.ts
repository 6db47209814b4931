import {
  EngineError,
  type ExecutionEnvironment,
  type RegisteredTool,
  type ToolArguments,
  type ToolCallContext,
  type ToolOutput,
} from "@switchyard/contracts";
import { readWindow } from "../text-format/read-window.ts";
import { objectSchema } from "./object-schema.ts";
import { isNamedImage, readImage } from "./read-image.ts";
import { optionalNumber, textArgument } from "./tool-argument.ts";
import { fileTarget } from "./tool-targets.ts";

/** Default number of lines to read. See loop: §3.3. */
export const DEFAULT_READ_LINES = 2_000;

/** Range of lines to show. */
export interface LineWindow {
  /** 1-based number of the first line. */
  readonly offset: number;
  /** Maximum number of lines. */
  readonly limit: number;
  /** Name of the offset parameter as the model sees it. Default: `offset`. */
  readonly offsetName?: string | undefined;
}

function numbered(lines: readonly string[], first: number): string {
  const width = String(first + lines.length - 1).length;
  return lines.map((line, index) => `${String(first + index).padStart(width)} | ${line}`).join("\n");
}

function toLines(text: string): string[] {
  const lines = text.replace(/\r?\n$/, "").split("\n");
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/**
 * Reads a range of lines of a text file, with line numbers. Rejects with `environment.*` errors. See loop: read_file,
 * §3.3.
 */
async function readNumberedLines(
  environment: ExecutionEnvironment,
  path: string,
  window: LineWindow,
): Promise<ToolOutput> {
  const { offset, limit, offsetName = "offset" } = window;
  // One line more than requested is read, to detect whether the file continues.
  const { text, note } = await readWindow(environment, path, { offset, limit: limit + 1 });
  if (text === "") {
    const content = offset === 1 ? "[The file is empty.]" : `[The file has fewer than ${offset} lines.]`;
    return { content, details: { path, lines: 0 } };
  }
  const lines = toLines(offset === 1 ? text.replace(/^\uFEFF/, "") : text);
  const shown = lines.slice(0, limit);
  const next = offset + shown.length;
  const more = lines.length > limit ? `\n[There are more lines. Read on with ${offsetName} ${next}.]` : "";
  return {
    content: numbered(shown, offset) + more + note,
    details: { path, lines: shown.length, hasMore: more !== "" },
  };
}

/**
 * Reads a range of lines of a text file, or an image. Rejects with `environment.*` errors. See loop: read_file, §3.3.
 */
export async function readTextOrImage(
  environment: ExecutionEnvironment,
  path: string,
  window: LineWindow,
): Promise<ToolOutput> {
  const image = isNamedImage(path) ? await readImage(environment, path) : undefined;
  if (image !== undefined) return image;
  try {
    return await readNumberedLines(environment, path, window);
  } catch (error) {
    const unnamed = EngineError.is(error, "environment.binary_file") ? await readImage(environment, path) : undefined;
    if (unnamed !== undefined) return unnamed;
    if (!EngineError.is(error, "environment.binary_file") || !isNamedImage(path)) throw error;
    const problem = "its bytes are not those of a PNG, JPEG, GIF or WebP image";
    throw new EngineError("tool.invalid_image", { source: path, problem }, { cause: error });
  }
}

async function readFile(
  args: ToolArguments,
  environment: ExecutionEnvironment,
  { parameterName }: ToolCallContext,
): Promise<ToolOutput> {
  const path = textArgument(args, "file_path");
  const offset = Math.max(1, optionalNumber(args, "offset") ?? 1);
  const limit = optionalNumber(args, "limit") ?? DEFAULT_READ_LINES;
  return readTextOrImage(environment, path, { offset, limit, offsetName: parameterName?.("offset") });
}

/** Tool that reads a text file with line numbers, or an image. See loop: read_file, §3.3. */
export const readFileTool: RegisteredTool = {
  definition: {
    name: "read_file",
    description: "Read a file from the filesystem. Returns line-numbered content, or the picture for image files.",
    parameters: objectSchema(
      {
        file_path: { type: "string", description: "Path of the file, absolute or relative to the working directory." },
        offset: { type: "integer", minimum: 1, description: "1-based number of the first line to read." },
        limit: { type: "integer", minimum: 1, description: `Most lines to read (default ${DEFAULT_READ_LINES}).` },
      },
      ["file_path"],
    ),
  },
  effects: "readonly",
  needsHost: false,
  targets: fileTarget,
  execute: readFile,
};
