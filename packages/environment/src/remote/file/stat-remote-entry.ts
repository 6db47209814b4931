import type { FileStat } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { RemoteFiles } from "./remote-files.ts";
import { dataOf } from "./remote-files.ts";

/** Stats a path, following links. */
export async function statRemoteEntry(files: RemoteFiles, path: string): Promise<FileStat> {
  const { absolute } = resolveWorkspacePath(files.workspace, path);
  const response = await files.request({ operation: "stat", args: [absolute] });
  const [kind, size, seconds] = dataOf(response, files, { operation: "stat", path }).toString().trim().split(" ");
  return {
    kind: kind === "file" || kind === "directory" ? kind : "other",
    size: Number(size),
    modifiedMs: Number(seconds) * 1000,
  };
}
