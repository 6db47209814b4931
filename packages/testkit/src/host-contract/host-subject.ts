import type { Checkpoint, Envelope, Host, Interrupt, Usage } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** A host as the cases get it: of one run, `contract-run`, that is under way. What it does not have, it does not promise. */
export interface HostSubject {
  /** The host. */
  readonly host: Host;
  /** Whether somebody answers questions, at once; nobody does by default. */
  readonly hasUser?: boolean | undefined;
  /** Asks the run to stop, as the runtime round the host does. */
  readonly interrupt?: ((interrupt: Interrupt) => void) | undefined;
  /** Loads the newest checkpoint; for hosts that promise to keep them. */
  readonly load?: (() => Eventually<Checkpoint | undefined>) | undefined;
  /** Makes storing fail from now on, as a full disk does; for hosts that promise to keep checkpoints. */
  readonly fillDisk?: (() => Eventually<void>) | undefined;
  /** Calls back with each event when somebody is shown it; what the listener throws is its own. */
  readonly observe?: ((listener: (envelope: Envelope) => void) => void) | undefined;
  /** The events that are kept by now; for hosts that promise to keep events before they show them. */
  readonly kept?: (() => Eventually<readonly Envelope[]>) | undefined;
  /** Sum of what was reported; for hosts that add usage up. */
  readonly totalUsage?: (() => Usage) | undefined;
  /** Tokens after which no further call is allowed; for hosts with a budget. */
  readonly budgetTokens?: number | undefined;
  /** Gives everything back. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Makes a host, alone or with what more it promises. */
export type HostFactory = () => Eventually<Host | HostSubject>;

/** The subject of a factory. */
export async function openHostSubject(factory: HostFactory): Promise<HostSubject> {
  const made = await factory();
  return "host" in made ? made : { host: made };
}
