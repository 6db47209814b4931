/** Something made now or in a moment. */
export type Eventually<T> = T | Promise<T>;

/** How one case is run. */
export interface CaseOptions {
  /** Milliseconds after which the case has failed, at most; 4,000 by default, of environments and transports 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Told why the case does not apply to this implementation. Without it such a case passes and has proved nothing. */
  readonly onSkip?: ((reason: string) => void) | undefined;
}

/**
 * One promise of a contract, as data: `for (const one of engineContract) test(one.title, () => one.run(factory))`.
 * engine: enginetest.
 */
export interface ContractCase<Factory> {
  /** Name of the case, `kit/promise`. */
  readonly id: string;
  /** What it proves: ids of the specification, or promises such as `D6`. */
  readonly requirement: string | readonly string[];
  /** The promise as one sentence. */
  readonly title: string;
  /**
   * Makes an implementation of its own and checks it. Rejects with an `AssertionError` that says what is wrong, or
   * with whatever the implementation throws; also when it hangs, unless it blocks the event loop.
   */
  run(factory: Factory, options?: CaseOptions): Promise<void>;
}
