import type { Publisher, RunCluster, RunWriter, SessionHandle } from "@switchyard/contracts";
import { applyControl } from "../run/apply-control.ts";
import type { RunSlot } from "../run/run-executor.ts";
import { notAtWork } from "../runs/not-at-work.ts";
import { RunProgress } from "../runs/run-progress.ts";
import { checkControl } from "./check-control.ts";
import { IncrementSender } from "./increment-sender.ts";

/**
 * Connects a run on this worker to its callers: receives their messages, and sends increments (unstored pieces of
 * output) to the servers to which the callers are connected.
 */
export class RunConnection {
  readonly #cluster: RunCluster;
  readonly #slot: RunSlot;
  readonly #progress = new RunProgress();
  readonly #increments: IncrementSender;
  #lastSeq: () => number = () => 0;
  #handle: SessionHandle | undefined;
  #stop: () => void = () => undefined;
  /** Receives the events of the run. */
  readonly observer: Publisher;

  constructor(runId: string, slot: RunSlot, cluster: RunCluster) {
    this.#cluster = cluster;
    this.#slot = slot;
    const increments = new IncrementSender({ cluster, runId, lastSeq: () => this.#lastSeq() });
    this.#increments = increments;
    this.observer = {
      publish: async (envelope) => {
        await this.#progress.publish(envelope);
        await increments.publish(envelope);
      },
    };
  }

  /** Starts to receive messages. Called when the lease of the run is held. */
  open(writer: RunWriter): void {
    this.#lastSeq = () => writer.lastSeq;
    this.#stop = this.#cluster.receiveControl(writer, (control) => {
      checkControl(control, (promptId) => this.#progress.questionOf(promptId));
      if (control.kind === "interrupt") this.#slot.stop(control.interrupt);
      else if (this.#handle === undefined) throw notAtWork(writer.runId, "about to begin");
      else applyControl(this.#handle, control);
    });
  }

  /**
   * Sends waiting increments (unstored pieces of output). Called before an event is stored, so that the increments
   * arrive before the event.
   */
  flushIncrements(): void {
    this.#increments.flush();
  }

  /** Passes messages to a session from now on. */
  attach(handle: SessionHandle): void {
    this.#handle = handle;
  }

  /** Stops receiving messages. */
  close(): void {
    this.#stop();
  }
}
