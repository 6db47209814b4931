import { randomBytes } from "node:crypto";
import type { ReadBytesOptions, ReadFileOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { RemoteFiles } from "./remote-files.ts";
import { dataOf } from "./remote-files.ts";
import { statRemoteEntry } from "./stat-remote-entry.ts";

/** Returns the text of a range of lines of a remote file, with the same result as for a local file. */
export async function readRemoteText(files: RemoteFiles, path: string, options: ReadFileOptions): Promise<string> {
  const { absolute } = resolveWorkspacePath(files.workspace, path);
  const first = Math.max(1, Math.floor(options.offset ?? 1));
  const count = options.limit === undefined ? "all" : String(Math.max(0, Math.floor(options.limit)));
  const between = randomBytes(16).toString("hex");
  const args = [absolute, String(first), count, String(files.maxReadBytes + 1), between];
  const response = await files.request({ operation: "lines", args });
  const data = dataOf(response, files, { operation: "read", path });
  const at = data.indexOf(between);
  const [start, window] = [data.subarray(0, at), data.subarray(at + between.length)];
  if (start.includes(0)) throw new EngineError("environment.binary_file", { path });
  if (window.length > files.maxReadBytes) throw await tooLarge(files, path);
  if (window.includes(0)) throw new EngineError("environment.binary_file", { path });
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(window);
}

/** Returns the bytes of a file, or of a range of the file. */
export async function readRemoteBytes(
  files: RemoteFiles,
  path: string,
  options: ReadBytesOptions,
): Promise<Uint8Array> {
  const { absolute } = resolveWorkspacePath(files.workspace, path);
  const offset = Math.max(0, Math.floor(options.offset ?? 0));
  const most = files.maxReadBytes + 1;
  const length = Math.min(most, Math.max(0, Math.floor(options.length ?? most)));
  const response = await files.request({ operation: "bytes", args: [absolute, String(offset), String(length)] });
  const data = dataOf(response, files, { operation: "read", path });
  if (data.length > files.maxReadBytes) throw await tooLarge(files, path);
  return new Uint8Array(data.buffer, data.byteOffset, data.length);
}

async function tooLarge(files: RemoteFiles, path: string): Promise<EngineError> {
  const { size } = await statRemoteEntry(files, path);
  return new EngineError("environment.file_too_large", { path, bytes: size, maxBytes: files.maxReadBytes });
}
