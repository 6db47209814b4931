import { type JsonObject, numberAt, type TurnScope, textAt } from "@switchyard/adapter-kit";
import type { AcpState } from "../conversation/acp-state.ts";

/**
 * Returns a path inside the session's folder. The environment rejects symbolic links that lead outside its workspace.
 */
function pathOf(params: JsonObject, { workspacePath }: AcpState): string {
  const path = textAt(params, "path");
  const isInside = path.startsWith(`${workspacePath}/`) && !path.split("/").includes("..") && !path.includes("\0");
  if (!isInside) throw new Error(`The path ${JSON.stringify(path)} is not inside of the workspace.`);
  return path;
}

/**
 * Resolves with a workspace file or a range of its lines. Rejects with an error whose message tells the agent the
 * reason.
 */
export async function readTextFile(params: JsonObject, state: AcpState): Promise<JsonObject> {
  const [offset, limit] = [numberAt(params, "line"), numberAt(params, "limit")];
  const content = await state.environment.readFile(pathOf(params, state), {
    ...(offset === undefined ? {} : { offset: Math.max(1, offset) }),
    ...(limit === undefined ? {} : { limit }),
  });
  return { content };
}

/**
 * Writes a workspace file, if the configuration or the user allows it. Rejects with an error whose message tells the
 * agent the reason.
 */
export async function writeTextFile(params: JsonObject, turn: TurnScope, state: AcpState): Promise<JsonObject> {
  const { config, environment, allowedEdits } = state;
  if (config.isReadOnly) {
    turn.permissionRefused(`write ${textAt(params, "path")}`);
    throw new Error("Nothing may be written in this session.");
  }
  const { content } = params;
  if (typeof content !== "string") throw new Error("There is no text to write.");
  const path = pathOf(params, state);
  const isAllowed = !config.asksBeforeWrite || allowedEdits.get(path) === content;
  if (!isAllowed && !(await userAllows({ path, content }, turn, state))) {
    throw new Error("The user did not allow this write.");
  }
  allowedEdits.delete(path);
  await environment.writeFile(path, content);
  turn.notify("");
  return {};
}

/** Asks the user whether a file may be written. The question contains the current and the new text of the file. */
async function userAllows(
  { path, content }: { readonly path: string; readonly content: string },
  turn: TurnScope,
  { environment }: AcpState,
): Promise<boolean> {
  const before = await environment.readFile(path).catch(() => undefined);
  const change = before === undefined ? { content } : { old_string: before, new_string: content };
  const decision = await turn.requestPermission({
    ...{ toolCallId: path, toolName: "write_file", toolArguments: { file_path: path, ...change } },
    title: `write ${path}`,
  });
  return decision === "allowed";
}
