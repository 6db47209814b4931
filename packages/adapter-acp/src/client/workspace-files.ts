import { type JsonObject, numberAt, textAt } from "@switchyard/adapter-kit";
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

/** Writes a workspace file, if writing is allowed. Rejects with an error whose message tells the agent the reason. */
export async function writeTextFile(params: JsonObject, state: AcpState): Promise<JsonObject> {
  if (state.config.isReadOnly) throw new Error("Nothing may be written in this session.");
  const { content } = params;
  if (typeof content !== "string") throw new Error("There is no text to write.");
  await state.environment.writeFile(pathOf(params, state), content);
  return {};
}
