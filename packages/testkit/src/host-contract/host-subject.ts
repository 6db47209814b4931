import type { Checkpoint, Envelope, Host, Interrupt, Usage } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/**
 * A host with one active run, `contract-run`. Each optional member enables the conformance cases for one optional
 * guarantee of the host; without the member, these cases are skipped.
 */
export interface HostSubject {
  /** Host under test. */
  readonly host: Host;
  /** True if a user answers prompts immediately. Default: false. */
  readonly hasUser?: boolean | undefined;
  /** Interrupts the run, as the host itself would. */
  readonly interrupt?: ((interrupt: Interrupt) => void) | undefined;
  /** Loads the newest stored checkpoint. `undefined` if the host does not store checkpoints. */
  readonly load?: (() => Eventually<Checkpoint | undefined>) | undefined;
  /**
   * Makes all later writes of the host fail, to simulate a full disk. `undefined` if the host does not store
   * checkpoints.
   */
  readonly fillDisk?: (() => Eventually<void>) | undefined;
  /**
   * Registers a listener for the events that the host shows to users. Errors of the listener must not affect the host.
   */
  readonly observe?: ((listener: (envelope: Envelope) => void) => void) | undefined;
  /** Resolves with the stored events. `undefined` if the host does not store events before showing them. */
  readonly stored?: (() => Eventually<readonly Envelope[]>) | undefined;
  /** Returns the sum of the reported usage. `undefined` if the host does not sum up usage. */
  readonly totalUsage?: (() => Usage) | undefined;
  /** Token budget after which the host rejects calls. `undefined` if the host has no budget. */
  readonly budgetTokens?: number | undefined;
  /** Releases all resources. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Creates a host, or a host together with the means to check its optional guarantees. */
export type HostFactory = () => Eventually<Host | HostSubject>;

/** Prepares the host under test, which a factory creates. */
export async function openHostSubject(factory: HostFactory): Promise<HostSubject> {
  const created = await factory();
  return "host" in created ? created : { host: created };
}
