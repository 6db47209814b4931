import type { SharedModelBudget } from "@switchyard/contracts";
import type { RunBudget } from "../budget/run-budget.ts";
import type { GatewayContext } from "../call/gateway-context.ts";
import type { ModelGatewayEvent } from "../gateway-event.ts";
import type { GatewayRunOptions } from "../gateway-options.ts";
import type { CallRecording } from "../recording/call-recording.ts";
import type { Replay } from "../recording/replay.ts";
import type { AllowedModels } from "./allowed-models.ts";
import type { RunToken } from "./run-registry.ts";

/**
 * Work in progress of a run, such as a call. It is cancelled when its run ends, and its time limits are checked
 * regularly.
 */
export interface ActiveWork {
  /** Cancels the work. */
  cancel(problem: string): void;
  /** Checks the time limits. `elapsedMs` is the time since the previous check. */
  check(elapsedMs: number): void;
}

/** State of one run. */
export interface RunState {
  readonly runId: string;
  readonly context: GatewayContext;
  readonly options: GatewayRunOptions;
  readonly token: RunToken;
  readonly models: AllowedModels;
  readonly budget: RunBudget;
  /** Budget that the run shares with other runs. `undefined`: none. */
  readonly sharedBudget: SharedModelBudget | undefined;
  /**
   * Number of the fallback in use, by API and name of the model that it replaces. A model without an entry is called
   * itself.
   */
  readonly replaced: Map<string, number>;
  /** Requests in progress. */
  readonly active: Set<ActiveWork>;
  /** Total size of the bodies of requests in progress, in bytes. */
  bufferedBytes: number;
  /** Requests whose events were not all emitted yet. */
  readonly handled: Set<Promise<void>>;
  /** Recording of the calls. `undefined`: no recording. */
  readonly recording: CallRecording | undefined;
  /** Replay of a recording. `undefined`: requests are sent to providers. */
  readonly replay: Replay | undefined;
  /** Returns the number of the next request. */
  nextRequest(): number;
  /** Emits an event to the host. */
  emit(event: ModelGatewayEvent): void;
}
