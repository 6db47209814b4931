import type {
  DirectoryEntry,
  ExecutionEnvironment,
  RegisteredTool,
  ToolArguments,
  ToolOutput,
} from "@switchyard/contracts";
import { objectSchema } from "./object-schema.ts";
import { optionalNumber, optionalText } from "./tool-argument.ts";
import { folderTarget } from "./tool-targets.ts";

/** Maximum number of directory levels in a listing. */
const MAX_DEPTH = 10;

function renderEntry(entry: DirectoryEntry): string {
  switch (entry.kind) {
    case "directory":
      return `${entry.name}/`;
    case "symlink":
      return `${entry.name}@`;
    case "file":
      return entry.size === undefined ? entry.name : `${entry.name} (${entry.size} bytes)`;
    case "other":
      return `${entry.name} (no regular file)`;
  }
}

async function listDir(args: ToolArguments, environment: ExecutionEnvironment): Promise<ToolOutput> {
  const path = optionalText(args, "path") ?? ".";
  const entries = await environment.listDirectory(path, optionalNumber(args, "depth") ?? 1);
  const content = entries.length === 0 ? "[The directory is empty.]" : entries.map(renderEntry).join("\n");
  return { content, details: { path, entries: entries.length } };
}

/** Tool that lists a directory. See loop: list_dir, §3.6. */
export const listDirTool: RegisteredTool = {
  definition: {
    name: "list_dir",
    description: "List a directory. Directories end in /, links in @, files come with their size.",
    parameters: objectSchema(
      {
        path: { type: "string", description: "Directory to list (default: the working directory)." },
        depth: { type: "integer", minimum: 1, maximum: MAX_DEPTH, description: "Levels to descend (default 1)." },
      },
      [],
    ),
  },
  effects: "readonly",
  needsHost: false,
  targets: folderTarget,
  execute: listDir,
};
