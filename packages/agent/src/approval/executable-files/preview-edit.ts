import type { ExecutionEnvironment, ToolArguments } from "@switchyard/contracts";
import { applyHunks } from "../../apply-patch/apply-hunks.ts";
import { parsePatch } from "../../apply-patch/parse-patch.ts";
import { replaceText } from "../../edit-file/replace-text.ts";
import { decodeText } from "../../text-format/encode-text.ts";
import { readTextFile } from "../../text-format/read-text-file.ts";
import type { ApprovalRequest } from "../approval-request.ts";

/** A file's text before and after a call. */
export interface EditPreview {
  /** Text before the call. `undefined` if the file does not exist. */
  readonly before: string | undefined;
  readonly after: string;
}

function text(args: ToolArguments, name: string): string {
  const value = args[name];
  if (typeof value !== "string") throw new TypeError(`no ${name}`);
  return value;
}

function patched(patch: string, path: string, before: string | undefined): string {
  const about = parsePatch(patch).filter((operation) => operation.path === path);
  const [operation] = about;
  if (about.length !== 1 || operation === undefined || operation.type === "delete")
    throw new TypeError("no single edit");
  if (operation.type === "add") return operation.lines.map((line) => `${line}\n`).join("");
  if (operation.moveTo !== undefined || before === undefined) throw new TypeError("no edit in place");
  return applyHunks(before, operation.hunks, path);
}

function afterEdit(
  { tool, canonicalName = tool, args }: ApprovalRequest,
  path: string,
  before: string | undefined,
): string {
  switch (canonicalName) {
    case "write_file":
      return text(args, "content");
    case "edit_file": {
      const [oldText, newText] = [text(args, "old_string"), text(args, "new_string")];
      return replaceText(before ?? "", { oldText, newText, replaceAll: args["replace_all"] === true }, path).text;
    }
    case "apply_patch":
      return patched(text(args, typeof args["patch"] === "string" ? "patch" : "input"), path, before);
    default:
      throw new TypeError("an unknown tool");
  }
}

/**
 * Computes the result of an edit to one file without changing anything. `undefined` if the tool is not one of the
 * built-in file editing tools, or if the edit would fail on the current file.
 */
export async function previewEdit(
  request: ApprovalRequest,
  path: string,
  environment: ExecutionEnvironment,
): Promise<EditPreview | undefined> {
  try {
    const file = (await environment.exists(path)) ? await readTextFile(environment, path) : undefined;
    const before = file === undefined ? undefined : decodeText(file.bytes, file.format);
    return { before, after: afterEdit(request, path, before) };
  } catch {
    return undefined;
  }
}
