import type { Checkpoint, Envelope, Host, Interrupt, Usage } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** A host with one active run, `contract-run`. An absent member means that the host does not make that promise. */
export interface HostSubject {
  /** Host under test. */
  readonly host: Host;
  /** True if a user answers prompts immediately. Default: false. */
  readonly hasUser?: boolean | undefined;
  /** Asks the run to stop, like the host's runtime. */
  readonly interrupt?: ((interrupt: Interrupt) => void) | undefined;
  /** Loads the newest checkpoint. For hosts that store checkpoints. */
  readonly load?: (() => Eventually<Checkpoint | undefined>) | undefined;
  /** Makes storing fail from now on, like a full disk. For hosts that store checkpoints. */
  readonly fillDisk?: (() => Eventually<void>) | undefined;
  /** Calls the listener with each event when it is shown. Errors of the listener must not affect the host. */
  readonly observe?: ((listener: (envelope: Envelope) => void) => void) | undefined;
  /** Resolves with the stored events. For hosts that store events before showing them. */
  readonly kept?: (() => Eventually<readonly Envelope[]>) | undefined;
  /** Returns the sum of reported usage. For hosts that add it up. */
  readonly totalUsage?: (() => Usage) | undefined;
  /** Token budget after which calls are rejected. For hosts with a budget. */
  readonly budgetTokens?: number | undefined;
  /** Releases all resources. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Creates a host, optionally with its promises. */
export type HostFactory = () => Eventually<Host | HostSubject>;

/** Opens the subject of a factory. */
export async function openHostSubject(factory: HostFactory): Promise<HostSubject> {
  const made = await factory();
  return "host" in made ? made : { host: made };
}
