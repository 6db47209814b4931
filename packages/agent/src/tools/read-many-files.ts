import type { RegisteredTool, ToolArguments, ToolCallContext, ToolOutput } from "@switchyard/contracts";
import { type ExecutionEnvironment, findEngineError, type ImagePart, messageOf } from "@switchyard/contracts";
import { objectSchema } from "./object-schema.ts";
import { DEFAULT_READ_LINES, readTextOrImage } from "./read-file.ts";
import { textList } from "./tool-argument.ts";
import { batchTarget } from "./tool-targets.ts";

/** Most files one call reads. */
const MAX_FILES = 100;

const GLOB_CHARACTERS = /[*?[{]/;

async function expand(
  patterns: readonly string[],
  environment: ExecutionEnvironment,
  signal: AbortSignal,
): Promise<string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const isPath = !GLOB_CHARACTERS.test(pattern) || (await environment.exists(pattern));
    const paths = isPath ? [pattern] : await environment.glob(pattern, { maxResults: MAX_FILES + 1, signal });
    for (const path of paths) found.add(path);
  }
  return [...found];
}

async function readOne(path: string, environment: ExecutionEnvironment): Promise<ToolOutput> {
  try {
    return await readTextOrImage(environment, path, { offset: 1, limit: DEFAULT_READ_LINES });
  } catch (error) {
    return { content: `[Not read: ${findEngineError(error)?.message ?? messageOf(error)}]`, isError: true };
  }
}

async function readManyFiles(
  args: ToolArguments,
  environment: ExecutionEnvironment,
  context: ToolCallContext,
): Promise<ToolOutput> {
  const paths = await expand(textList(args, "paths"), environment, context.signal);
  if (paths.length === 0) return { content: "No files found.", isError: true };
  const sections: string[] = [];
  const images: ImagePart[] = [];
  let failed = 0;
  for (const path of paths.slice(0, MAX_FILES)) {
    context.signal.throwIfAborted();
    const output = await readOne(path, environment);
    sections.push(`--- ${path} ---\n${output.content}`);
    images.push(...(output.images ?? []));
    if (output.isError === true) failed += 1;
  }
  const read = sections.length - failed;
  if (paths.length > MAX_FILES) sections.push(`[Only the first ${MAX_FILES} files are shown. Narrow the patterns.]`);
  return { content: sections.join("\n\n"), images, isError: read === 0, details: { read, failed } };
}

/** Reads a batch of files. loop: read_many_files, §3.6. */
export const readManyFilesTool: RegisteredTool = {
  definition: {
    name: "read_many_files",
    description: "Read several files in one call. Each file's line-numbered content follows a line with its path.",
    parameters: objectSchema(
      {
        paths: {
          type: "array",
          items: { type: "string", minLength: 1 },
          minItems: 1,
          description: 'Paths or glob patterns, for example ["src/main.ts", "docs/**/*.md"].',
        },
      },
      ["paths"],
    ),
  },
  effects: "readonly",
  needsHost: false,
  targets: batchTarget,
  execute: readManyFiles,
};
