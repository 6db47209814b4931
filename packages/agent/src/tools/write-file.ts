import { Buffer } from "node:buffer";
import type { ExecutionEnvironment, RegisteredTool, ToolArguments, ToolOutput } from "@switchyard/contracts";
import { withFileLock } from "./file-lock.ts";
import { objectSchema } from "./object-schema.ts";
import { textArgument } from "./tool-argument.ts";
import { fileTarget } from "./tool-targets.ts";

async function writeFile(args: ToolArguments, environment: ExecutionEnvironment): Promise<ToolOutput> {
  const path = textArgument(args, "file_path");
  const content = textArgument(args, "content");
  const isNew = await withFileLock(environment, [path], async () => {
    const existed = await environment.exists(path);
    await environment.writeFile(path, content);
    return !existed;
  });
  const bytes = Buffer.byteLength(content);
  // Not whether it was new: a call that is carried out again after a crash says the same. D9.
  return { content: `Wrote ${bytes} bytes to ${path}.`, details: { path, bytes, created: isNew } };
}

/** Writes a whole file. loop: write_file, §3.3. */
export const writeFileTool: RegisteredTool = {
  definition: {
    name: "write_file",
    description: "Write content to a file. Creates the file and parent directories if needed; replaces what was there.",
    parameters: objectSchema(
      {
        file_path: { type: "string", description: "Path of the file, absolute or relative to the working directory." },
        content: { type: "string", description: "The full content of the file." },
      },
      ["file_path", "content"],
    ),
  },
  effects: "idempotent",
  needsHost: false,
  targets: fileTarget,
  execute: writeFile,
};
