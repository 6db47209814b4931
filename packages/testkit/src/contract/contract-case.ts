/** A value or a promise of it. */
export type Eventually<T> = T | Promise<T>;

/** Options for running a conformance case. */
export interface CaseOptions {
  /** Time limit in milliseconds. Default: 4,000, or 30,000 for environments and transports. */
  readonly timeoutMs?: number | undefined;
  /**
   * Called with the reason if the conformance case does not apply to the implementation. Without this function, such a
   * case passes without proving anything.
   */
  readonly onSkip?: ((reason: string) => void) | undefined;
}

/**
 * One conformance case, as data: `for (const one of engineContract) test(one.title, () => one.run(factory))`. See
 * engine: enginetest.
 */
export interface ContractCase<Factory> {
  /**
   * Id of the conformance case: the name of the kit and a short name of the behaviour, such as
   * `environment/read-forbidden`.
   */
  readonly id: string;
  /** Requirements that the conformance case proves: ids of the specification, or durability promises such as `D6`. */
  readonly requirement: string | readonly string[];
  /** Title as a sentence. */
  readonly title: string;
  /**
   * Creates an implementation and runs the check. Rejects with an `AssertionError` that describes the problem, or with
   * an error of the implementation. Also rejects if the implementation hangs, unless it blocks the event loop.
   */
  run(factory: Factory, options?: CaseOptions): Promise<void>;
}
