import type { RegisteredTool, ToolArguments, ToolCallContext, ToolOutput } from "@switchyard/contracts";
import { type ExecutionEnvironment, findEngineError, type ImagePart, messageOf } from "@switchyard/contracts";
import { objectSchema } from "./object-schema.ts";
import { DEFAULT_READ_LINES, readTextOrImage } from "./read-file.ts";
import { textList } from "./tool-argument.ts";
import { batchTarget } from "./tool-targets.ts";

/** Maximum number of files read in one call. */
const MAX_FILES = 100;

const GLOB_CHARACTERS = /[*?[{]/;

/** File to read. If `failure` is set, it is reported instead of the content. */
interface Named {
  readonly path: string;
  readonly failure?: ToolOutput;
}

function notRead(error: unknown): ToolOutput {
  return { content: `[Not read: ${findEngineError(error)?.message ?? messageOf(error)}]`, isError: true };
}

/** Normalizes the spelling of a path without accessing the file system. */
function plainPath(path: string): string {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return `${path.startsWith("/") ? "/" : ""}${names.join("/")}`;
}

/** Returns the files for a path or a glob pattern. */
async function filesOf(pattern: string, environment: ExecutionEnvironment, signal: AbortSignal): Promise<Named[]> {
  try {
    const isPath = !GLOB_CHARACTERS.test(pattern) || (await environment.exists(pattern));
    if (isPath) return [{ path: pattern }];
    const paths = await environment.glob(pattern, { maxResults: MAX_FILES + 1, signal });
    return paths.map((path) => ({ path }));
  } catch (error) {
    signal.throwIfAborted();
    return [{ path: pattern, failure: notRead(error) }];
  }
}

async function expand(
  patterns: readonly string[],
  environment: ExecutionEnvironment,
  signal: AbortSignal,
): Promise<Named[]> {
  const found = new Map<string, Named>();
  for (const pattern of patterns) {
    for (const file of await filesOf(pattern, environment, signal)) {
      const key = plainPath(file.path);
      if (!found.has(key)) found.set(key, file);
    }
  }
  return [...found.values()];
}

async function readOne({ path, failure }: Named, environment: ExecutionEnvironment): Promise<ToolOutput> {
  if (failure !== undefined) return failure;
  try {
    return await readTextOrImage(environment, path, { offset: 1, limit: DEFAULT_READ_LINES });
  } catch (error) {
    return notRead(error);
  }
}

async function readManyFiles(
  args: ToolArguments,
  environment: ExecutionEnvironment,
  context: ToolCallContext,
): Promise<ToolOutput> {
  const files = await expand(textList(args, "paths"), environment, context.signal);
  if (files.length === 0) return { content: "No files found.", isError: true };
  const sections: string[] = [];
  const images: ImagePart[] = [];
  let failed = 0;
  for (const file of files.slice(0, MAX_FILES)) {
    context.signal.throwIfAborted();
    const output = await readOne(file, environment);
    sections.push(`--- ${file.path} ---\n${output.content}`);
    images.push(...(output.images ?? []));
    if (output.isError === true) failed += 1;
  }
  const read = sections.length - failed;
  if (files.length > MAX_FILES) sections.push(`[Only the first ${MAX_FILES} files are shown. Narrow the patterns.]`);
  return { content: sections.join("\n\n"), images, isError: read === 0, details: { read, failed } };
}

/** Tool that reads several files in one call. See loop: read_many_files, §3.6. */
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
