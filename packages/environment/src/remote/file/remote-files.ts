import type { WorkspaceRoot } from "../../path/workspace-root.ts";
import type { RemoteShellRequest, RemoteShellResponse } from "../shell/remote-shell.ts";
import { toRemoteError } from "../to-remote-error.ts";

/** Settings and connections that remote file operations need. */
export interface RemoteFiles {
  readonly workspace: WorkspaceRoot;
  /** Option with which the remote `stat` accepts a format: `c`, `C` or `f`. */
  readonly stat: string;
  /** Maximum number of bytes that one read returns. */
  readonly maxReadBytes: number;
  /**
   * Maximum size, in bytes, of the data sent with a request to a shared remote shell. 0 if the remote `dd` cannot read
   * an exact number of bytes.
   */
  readonly maxPayloadBytes: number;
  /** Sends a request to one of the running remote shells that handle requests for files. */
  request(request: RemoteShellRequest): Promise<RemoteShellResponse>;
  /** Sends a request to a newly started remote shell. The input of this shell ends after the request's data. */
  requestDedicated(request: RemoteShellRequest): Promise<RemoteShellResponse>;
}

/** A file operation, for error messages. */
export interface FileSubject {
  /** Verb in the infinitive. */
  readonly operation: string;
  /** Path as given by the caller. */
  readonly path: string;
}

/** Returns the data of a response. If the response reports an error, throws it. */
export function dataOf(response: RemoteShellResponse, files: RemoteFiles, subject: FileSubject): Buffer {
  if (response.status === 0) return response.data;
  throw toRemoteError(response.message, { ...subject, root: files.workspace.real });
}
