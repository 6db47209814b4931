import { randomBytes } from "node:crypto";
import type { FileContent } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { toBytes } from "../../output/to-bytes.ts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { WorkspacePath } from "../../path/workspace-root.ts";
import type { RemoteFiles } from "./remote-files.ts";
import { dataOf } from "./remote-files.ts";

/** Writes a whole file: into a new file in the same folder, which then replaces the old one. Links are followed. */
export async function writeRemoteFile(files: RemoteFiles, path: string, content: FileContent): Promise<void> {
  const { absolute } = resolveInner(files, path);
  const payload = toBytes(content);
  const temporary = `.switchyard-${randomBytes(16).toString("hex")}.tmp`;
  const isShort = payload.length <= files.maxPayloadBytes;
  const args = [absolute, isShort ? String(payload.length) : "-", String(payload.length), temporary];
  const request = { operation: "write", args, payload };
  const response = isShort ? await files.request(request) : await files.requestDedicated(request);
  dataOf(response, files, { operation: "write", path });
}

/** Creates a folder and its missing parents. */
export async function makeRemoteFolder(files: RemoteFiles, path: string): Promise<void> {
  const { absolute } = resolveWorkspacePath(files.workspace, path);
  const response = await files.request({ operation: "make", args: [absolute] });
  dataOf(response, files, { operation: "make", path });
}

/** Moves a file, a link or a folder. An existing file at the new path is replaced, and missing parents are created. */
export async function renameRemoteEntry(files: RemoteFiles, from: string, to: string): Promise<void> {
  const args = [resolveInner(files, from).absolute, resolveInner(files, to).absolute];
  const response = await files.request({ operation: "rename", args });
  if (response.status !== 0 && response.message.includes("@EINVAL")) {
    throw new EngineError("environment.invalid_path", { path: to, problem: `it is inside ${from}` });
  }
  // The script prints `to` before it uses the new path. This tells which of the two paths the error concerns.
  const path = response.data.includes("to") ? to : from;
  dataOf(response, files, { operation: "rename", path });
}

/** Removes a file, a link (not its target), or a folder recursively. */
export async function removeRemoteEntry(files: RemoteFiles, path: string): Promise<void> {
  const response = await files.request({ operation: "remove", args: [resolveInner(files, path).absolute] });
  dataOf(response, files, { operation: "remove", path });
}

function resolveInner(files: RemoteFiles, path: string): WorkspacePath {
  const resolved = resolveWorkspacePath(files.workspace, path);
  if (resolved.relative !== "") return resolved;
  throw new EngineError("environment.invalid_path", { path, problem: "it is the workspace itself" });
}
