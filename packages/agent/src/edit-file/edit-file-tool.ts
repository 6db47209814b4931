import type { ExecutionEnvironment, RegisteredTool, ToolArguments, ToolOutput } from "@switchyard/contracts";
import { decodeText, encodeText } from "../text-format/encode-text.ts";
import { readTextFile } from "../text-format/read-text-file.ts";
import { withFileLock } from "../tools/file-lock.ts";
import { objectSchema } from "../tools/object-schema.ts";
import { flagArgument, textArgument } from "../tools/tool-argument.ts";
import { fileTarget } from "../tools/tool-targets.ts";
import { replaceBytes } from "./replace-bytes.ts";
import { type ReplacedText, replaceText } from "./replace-text.ts";

function report(path: string, { count, tolerance }: Pick<ReplacedText, "count" | "tolerance">): ToolOutput {
  const how =
    tolerance === undefined
      ? ""
      : ` There was no exact match; the text was found by ignoring ${tolerance}. Check the result.`;
  const times = count === 1 ? "1 occurrence" : `${count} occurrences`;
  return {
    content: `Replaced ${times} in ${path}.${how}`,
    details: { path, replacements: count, fuzzy: tolerance !== undefined },
  };
}

async function editFile(args: ToolArguments, environment: ExecutionEnvironment): Promise<ToolOutput> {
  const path = textArgument(args, "file_path");
  const replacement = {
    oldText: textArgument(args, "old_string"),
    newText: textArgument(args, "new_string"),
    replaceAll: flagArgument(args, "replace_all"),
  };
  if (replacement.oldText === replacement.newText) {
    return { content: "old_string and new_string are equal: there is nothing to change.", isError: true };
  }
  return withFileLock(environment, [path], async () => {
    const { bytes, format } = await readTextFile(environment, path);
    const exact = format.encoding === "UTF-8" ? replaceBytes(bytes, replacement, path) : undefined;
    if (exact !== undefined) {
      await environment.writeFile(path, exact.bytes);
      return report(path, exact);
    }
    const replaced = replaceText(decodeText(bytes, format), replacement, path);
    await environment.writeFile(path, encodeText(replaced.text, format, path));
    return report(path, replaced);
  });
}

/**
 * Tool that replaces text in a file. Preserves encoding, line ends, byte order mark and a missing final newline. See
 * loop: edit_file, §3.3.
 */
export const editFileTool: RegisteredTool = {
  definition: {
    name: "edit_file",
    description:
      "Replace an exact string occurrence in a file. old_string must be unique in the file unless replace_all is set.",
    parameters: objectSchema(
      {
        file_path: { type: "string", description: "Path of the file, absolute or relative to the working directory." },
        old_string: { type: "string", minLength: 1, description: "Exact text to find, with its indentation." },
        new_string: { type: "string", description: "Replacement text." },
        replace_all: { type: "boolean", description: "Replace all occurrences (default false)." },
      },
      ["file_path", "old_string", "new_string"],
    ),
  },
  effects: "unsafe",
  needsHost: false,
  targets: fileTarget,
  execute: editFile,
};
