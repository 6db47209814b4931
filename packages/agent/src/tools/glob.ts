import type {
  ExecutionEnvironment,
  RegisteredTool,
  ToolArguments,
  ToolCallContext,
  ToolOutput,
} from "@switchyard/contracts";
import { objectSchema } from "./object-schema.ts";
import { optionalText, textArgument } from "./tool-argument.ts";
import { globTarget } from "./tool-targets.ts";

/** Maximum number of listed files. The newest files are listed first. */
const MAX_FILES = 1_000;

async function glob(
  args: ToolArguments,
  environment: ExecutionEnvironment,
  context: ToolCallContext,
): Promise<ToolOutput> {
  const paths = await environment.glob(textArgument(args, "pattern"), {
    path: optionalText(args, "path"),
    maxResults: MAX_FILES + 1,
    signal: context.signal,
  });
  if (paths.length === 0) return { content: "No files found.", details: { files: 0 } };
  const shown = paths.slice(0, MAX_FILES);
  const more = paths.length > MAX_FILES ? `\n[Only the ${MAX_FILES} newest files are shown. Narrow the pattern.]` : "";
  return { content: shown.join("\n") + more, details: { files: shown.length, truncated: more !== "" } };
}

/** Tool that finds files by name. See loop: glob, §3.3. */
export const globTool: RegisteredTool = {
  definition: {
    name: "glob",
    description: "Find files matching a glob pattern. Returns paths, most recently modified first.",
    parameters: objectSchema(
      {
        pattern: { type: "string", minLength: 1, description: 'Glob pattern, for example "**/*.ts".' },
        path: { type: "string", description: "Base directory (default: the working directory)." },
      },
      ["pattern"],
    ),
  },
  effects: "readonly",
  needsHost: false,
  targets: globTarget,
  execute: glob,
};
