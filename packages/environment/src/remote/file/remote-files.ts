import type { WorkspaceRoot } from "../../path/workspace-root.ts";
import type { LaneRequest, LaneResponse } from "../lane/lane.ts";
import { toRemoteError } from "../to-remote-error.ts";

/** Dependencies of remote file operations. */
export interface RemoteFiles {
  readonly workspace: WorkspaceRoot;
  /** Format option of the remote `stat`. */
  readonly stat: string;
  /** Maximum number of bytes that one read returns. */
  readonly maxReadBytes: number;
  /** Maximum payload of a request, in bytes. 0 if the remote `dd` cannot read an exact number of bytes. */
  readonly maxPayloadBytes: number;
  /** Sends a request to one of the running remote shells that handle file requests. */
  ask(request: LaneRequest): Promise<LaneResponse>;
  /** Sends a request to a new remote shell, whose input ends with the request. */
  askDedicated(request: LaneRequest): Promise<LaneResponse>;
}

/** A file operation, for error messages. */
export interface FileSubject {
  /** Verb in the infinitive. */
  readonly operation: string;
  /** Path as given by the caller. */
  readonly path: string;
}

/** Returns the data of a response. Throws the error that the response reports. */
export function dataOf(answer: LaneResponse, files: RemoteFiles, subject: FileSubject): Buffer {
  if (answer.status === 0) return answer.data;
  throw toRemoteError(answer.said, { ...subject, root: files.workspace.real });
}
