import { Buffer } from "node:buffer";
import type { ExecutionEnvironment, RegisteredTool, ToolArguments, ToolOutput } from "@switchyard/contracts";
import { preserveFormat } from "../text-format/preserve-format.ts";
import { withFileLock } from "./file-lock.ts";
import { objectSchema } from "./object-schema.ts";
import { textArgument } from "./tool-argument.ts";
import { fileTarget } from "./tool-targets.ts";

interface Written {
  readonly isNew: boolean;
  readonly bytes: number;
  readonly preserved: readonly string[];
}

function list(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}

async function writeFile(args: ToolArguments, environment: ExecutionEnvironment): Promise<ToolOutput> {
  const path = textArgument(args, "file_path");
  const text = textArgument(args, "content");
  const { isNew, bytes, preserved } = await withFileLock(environment, [path], async (): Promise<Written> => {
    const existed = await environment.exists(path);
    const format = existed
      ? await preserveFormat(environment, path, text)
      : { content: Buffer.from(text), preserved: [] };
    await environment.writeFile(path, format.content);
    return { isNew: !existed, bytes: format.content.length, preserved: format.preserved };
  });
  const note = preserved.length === 0 ? "" : ` The file kept ${list(preserved)}.`;
  // The output does not mention whether the file is new, so that a call repeated after a crash returns the same output.
  // See durability promise D9.
  return {
    content: `Wrote ${bytes} bytes to ${path}.${note}`,
    details: { path, bytes, created: isNew, ...(preserved.length === 0 ? {} : { kept: preserved }) },
  };
}

/**
 * Tool that writes a complete file. Preserves the encoding, byte order mark and line ends of an existing file. See
 * loop: write_file, §3.3.
 */
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
