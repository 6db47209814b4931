import type { Interrupt } from "../engine/interrupt.ts";
import type { Envelope } from "../events/envelope.ts";
import type { RunRecord } from "../session/run-record.ts";
import type { RunStore, RunWriter } from "./run-store.ts";

/** Newest stored state of a run in a cluster. */
export interface RunChange {
  /** Id of the run. */
  readonly runId: string;
  /** Record of the run. `undefined` if the run was deleted or its record cannot be read. */
  readonly record: RunRecord | undefined;
  /**
   * Token of the process that holds the run's lease, the exclusive right to write to the run. `undefined` if no process
   * works on the run.
   */
  readonly holder: string | undefined;
}

/**
 * Rule that allows a worker to check out repositories. The rule contains only the name of a credential; its value stays
 * on the worker.
 */
export interface RepositoryRule {
  /** URL at or below which repositories are allowed. */
  readonly url: string;
  /** Name of the credential that this rule is for. `undefined`: the rule is for runs that name no credential. */
  readonly credential?: string | undefined;
  /** Owners whose runs are allowed. Default: all. */
  readonly owners?: readonly string[] | undefined;
}

/** Folder of a worker in which runs may work. Only the worker knows its path. */
export interface FolderRule {
  /** Name by which runs refer to the folder. */
  readonly name: string;
  /** Owners whose runs may work in the folder. The list `["*"]` means all owners. */
  readonly owners: readonly string[];
}

/** A worker of a cluster: what it can execute, and how much it executes now. */
export interface ClusterWorker {
  /** Version of this format. */
  readonly format: 1;
  /** Name of the worker, unique in the cluster. */
  readonly name: string;
  /** Names of the engines that the worker can run. */
  readonly engines: readonly string[];
  /** Names of the environments that the worker can open. */
  readonly environments: readonly string[];
  /** Labels that the worker's operator has chosen. */
  readonly labels: Readonly<Record<string, string>>;
  /** True if the worker takes only runs that require every label of the worker. Default: false. */
  readonly isDedicated?: boolean | undefined;
  /** Folders that the worker offers as workspaces and that no run uses now. Default: none. */
  readonly folders?: readonly FolderRule[] | undefined;
  /** Repositories that the worker may check out. Default: none. */
  readonly repositories?: readonly RepositoryRule[] | undefined;
  /** Release of Switchyard that the worker runs. */
  readonly version: string;
  /** Number of runs that the worker executes now. */
  readonly running: number;
  /** Number of further runs that the worker could execute now; 0 while it shuts down. */
  readonly free: number;
}

/**
 * Message of a caller to the process that executes a run. An answer contains the kind of question (`promptKind`) that
 * the caller may answer. If the open question is of a different kind, the run rejects the answer.
 */
export type RunControl =
  | { readonly kind: "steer" | "follow_up"; readonly text: string }
  | {
      readonly kind: "answer";
      readonly promptId: string;
      readonly text: string;
      readonly promptKind: "question" | "approval";
    }
  | { readonly kind: "interrupt"; readonly interrupt: Interrupt };

/** Options of a worker's request for runs. */
export interface RunRequestOptions {
  /** Maximum wait for the first run, in milliseconds. */
  readonly waitMs: number;
  /**
   * Maximum number of runs that the leader, the process that assigns runs to workers, may offer. Default: 1. Leaders of
   * earlier releases offer one run.
   */
  readonly maxRuns?: number | undefined;
}

/** An event of a run that is not stored, such as a piece of the model's text. */
export interface RunIncrement {
  /** Sequence number of the last event that was stored before this event was published. 0 if there is none. */
  readonly afterSeq: number;
  /** The event, without a sequence number. */
  readonly event: Envelope;
}

/** Request to a worker to revert the changes of a run in its workspace. */
export interface UndoRequest {
  /** Id of the run. */
  readonly runId: string;
  /** True to check only, and change nothing. */
  readonly isDryRun: boolean;
}

/**
 * Reason why a worker does not begin a run that it was offered. `owner_full` and `server_full`: a shared budget allows no
 * further concurrent run of the owner, or of all owners together. `folder_busy`: another run works in the folder of the
 * run. `unreadable`: the worker cannot read the shared budgets of the run. `not_ready`: the worker can begin no run now,
 * for example because it shuts down. `failed`: the worker may not execute the run, or failed to begin it.
 */
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** All values of `DeclineReason`. */
export const DECLINE_REASONS = [
  "owner_full",
  "server_full",
  "folder_busy",
  "unreadable",
  "not_ready",
  "failed",
] as const;

/** A run that a worker was offered and does not begin. */
export interface DeclinedRun {
  /** Id of the run. */
  readonly runId: string;
  /** Reason why the worker does not begin the run. */
  readonly reason: DeclineReason;
}

/** A file of a run, stored on the broker to which all processes of the cluster connect. */
export interface ClusterFile {
  /** Path of the file within its folder, with `/` between names. */
  readonly path: string;
  /** Content of the file. */
  readonly content: Uint8Array;
}

/**
 * Folder of a run's files on the broker of a cluster. `input.ID` contains the uploaded files, and `patch.ID` the changes
 * with which a forked run begins. Both are stored before the run, so several servers may store different files for the
 * same run id at the same time. The stored run names the ID of its files. `snapshots` contains the changes of the
 * workspace at checkpoints. `outcome.N` contains the artifacts and the patch that the run's writer number N has stored.
 */
export type ClusterFolder = `input.${string}` | `patch.${string}` | "snapshots" | `outcome.${number}`;

/**
 * Connects the servers and workers that share a run store. Contract: messages are hints that may be lost or repeated.
 * Only the store decides which process may write a run: by epochs, the numbers of the run's writers.
 */
export interface RunCluster extends AsyncDisposable {
  /** Shared store of the runs. It is closed with the cluster. */
  readonly store: RunStore;
  /** Token that identifies this process as the holder of leases, the exclusive rights to write to runs. */
  readonly token: string;
  /** Time without a heartbeat after which a process counts as dead, in milliseconds. */
  readonly leaseMs: number;
  /** Streams the newest state of every run, and then every change. Intermediate states may be skipped. */
  watchRuns(signal: AbortSignal): AsyncIterable<RunChange>;
  /**
   * Resolves with a stream of a run's stored events. It begins after `afterSeq`, or by default with the next event that
   * is stored. The stream ends only when the signal aborts. It throws `run.malformed_record` if stored events are
   * damaged.
   */
  followEvents(runId: string, options: FollowOptions): Promise<FollowedEvents>;
  /**
   * Calls `listener` with the token of each process that sends a heartbeat. Returns a function that stops the calls.
   */
  onHeartbeat(listener: (token: string) => void): () => void;
  /**
   * Calls `listener` each time the lost connection to the broker is restored. Returns a function that stops the calls.
   */
  onReconnect(listener: () => void): () => void;
  /**
   * Waits until this process is the leader, the only process that assigns runs to workers. Resolves with a signal that
   * aborts when this process is no longer the leader. Resolves with `undefined` if `signal` aborts first.
   */
  lead(signal: AbortSignal): Promise<AbortSignal | undefined>;
  /**
   * Asks the leader for runs. Resolves with the ids of the offered runs as soon as there is one, or with an empty list if
   * there was none for `waitMs` milliseconds.
   */
  requestRuns(worker: ClusterWorker, options: RunRequestOptions): Promise<readonly string[]>;
  /**
   * Answers the requests of workers. `answer` resolves with the ids of at most `maxRuns` runs. If the list is empty, no
   * answer is sent, and the request of the worker ends when its wait time is over. Returns a function that stops
   * answering.
   */
  answerRequests(answer: (worker: ClusterWorker, maxRuns: number) => Promise<readonly string[]>): () => void;
  /** Tells the leader that this worker does not begin a run that it was offered. The leader then queues the run again. */
  declineRun(declined: DeclinedRun): void;
  /** Calls `listener` for each run that a worker has declined. Returns a function that stops the calls. */
  onDeclined(listener: (declined: DeclinedRun) => void): () => void;
  /** Announces this worker to all servers. */
  announce(worker: ClusterWorker): void;
  /** Calls `listener` for each announcement of a worker. Returns a function that stops the calls. */
  onWorker(listener: (worker: ClusterWorker) => void): () => void;
  /**
   * Sends a message to the process that executes a run. Resolves with false if no process receives it. If the receiver
   * refuses the message, rejects with the receiver's error.
   */
  sendControl(runId: string, control: RunControl): Promise<boolean>;
  /**
   * Receives the messages that callers send to a run whose lease this process holds. If `handle` throws, the sender
   * gets the error. Before each message, the store must confirm that the writer still holds the lease. If it does not,
   * the message is ignored, because another process now receives the run's messages. Returns a function that stops
   * receiving.
   */
  receiveControl(writer: Pick<RunWriter, "runId" | "epoch">, handle: (control: RunControl) => void): () => void;
  /**
   * Asks a worker to revert the changes of a run. Resolves with true when they are reverted, and with false if the
   * worker does not answer. If the worker refuses the request, rejects with the worker's error.
   */
  requestUndo(worker: string, request: UndoRequest): Promise<boolean>;
  /**
   * Receives the requests to the worker of this name. If `handle` rejects, the sender gets the error. Returns a function
   * that stops receiving.
   */
  receiveUndo(worker: string, handle: (request: UndoRequest) => Promise<void>): () => void;
  /**
   * Sends increments (events that are not stored) to the servers that follow a run. Resolves with false if no server
   * receives them. Increments may be lost.
   */
  sendIncrements(runId: string, increments: readonly RunIncrement[]): Promise<boolean>;
  /**
   * Calls `listener` for each increment (event that is not stored) of a run. Returns a function that stops the calls.
   */
  onIncrement(runId: string, listener: (increment: RunIncrement) => void): () => void;
  /** Stores a file of a run. A file with the same path is replaced. */
  putFile(runId: string, folder: ClusterFolder, file: ClusterFile): Promise<void>;
  /** Streams the files of a run. */
  files(runId: string, folder: ClusterFolder): AsyncIterable<ClusterFile>;
  /** Resolves with the content of a file. `undefined` if the file does not exist. */
  readFile(runId: string, folder: ClusterFolder, path: string): Promise<Uint8Array | undefined>;
  /** Removes a file, or all files of a folder if `path` is `undefined`. */
  removeFiles(runId: string, folder: ClusterFolder, path?: string): Promise<void>;
}

/** Stream of a run's stored events. */
export interface FollowedEvents {
  /** Sequence number after which the stream starts. */
  readonly afterSeq: number;
  /** The events. */
  readonly events: AsyncIterable<Envelope>;
}

/** Options of `RunCluster.followEvents`. */
export interface FollowOptions {
  /** Sequence number after which events are streamed. Default: that of the last stored event. */
  readonly afterSeq?: number | undefined;
  /** Ends the stream when it aborts. */
  readonly signal: AbortSignal;
}
