import type { WorkspaceRoot } from "../../path/workspace-root.ts";
import type { LaneResponse, LaneRequest } from "../lane/lane.ts";
import { toRemoteError } from "../to-remote-error.ts";

/** What operations on files need. */
export interface RemoteFiles {
  readonly workspace: WorkspaceRoot;
  /** How the place's `stat` takes a format. */
  readonly stat: string;
  /** Most bytes that one read hands out. */
  readonly maxReadBytes: number;
  /** Most bytes that a request may carry; 0 where the place cannot take an exact number. */
  readonly maxPayloadBytes: number;
  /** Asks one of the lanes. */
  ask(request: LaneRequest): Promise<LaneResponse>;
  /** Asks a lane of its own, whose input ends with the request. */
  askAlone(request: LaneRequest): Promise<LaneResponse>;
}

/** What is being done, for the message. */
export interface FileSubject {
  /** Verb in the present. */
  readonly operation: string;
  /** Path as the caller wrote it. */
  readonly path: string;
}

/** The data of an answer. Throws the error that it tells. */
export function dataOf(answer: LaneResponse, files: RemoteFiles, subject: FileSubject): Buffer {
  if (answer.status === 0) return answer.data;
  throw toRemoteError(answer.said, { ...subject, root: files.workspace.real });
}
