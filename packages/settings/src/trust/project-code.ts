import { type Engine, EngineError } from "@switchyard/contracts";
import { type CodeRoot, digestCode } from "./digest-code.ts";

/** Digest of the engine code with which a run started, as stored with the run. */
export interface RecordedCode {
  /** Digest of the code. `undefined` if none was stored. */
  readonly digest: string | undefined;
}

/** Project code that implements an engine and is compared with its digest. */
export interface CodeSource {
  /** Name of the engine. */
  readonly engine: string;
  /** Description of the code's origin, such as `the package acme`. */
  readonly source: string;
  /** Files and folders that contain the code. */
  readonly roots: readonly CodeRoot[];
}

/**
 * Compares the code of a trusted project with its digest before a run executes the code. Rejects code that has changed
 * since the run started. See architecture: decision 32.
 */
export class ProjectCode {
  readonly #stored: RecordedCode | undefined;
  #admitted: (CodeSource & RecordedCode) | undefined;

  /**
   * `stored` is the digest that is stored with the run. If it is `undefined`, the current code is accepted, because the
   * user trusts it.
   */
  constructor(stored?: RecordedCode) {
    this.#stored = stored;
  }

  /**
   * Digest of the code that may be executed. `undefined` if no code was checked, or if the code is too large to
   * compare.
   */
  get digest(): string | undefined {
    return this.#admitted?.digest;
  }

  /**
   * Compares code with the stored digest before the code is loaded. Rejects with `engine.code_changed` if the code has
   * changed.
   */
  async admit(code: CodeSource): Promise<void> {
    const digest = await digestCode(code.roots);
    if (this.#stored !== undefined) assertSame(code, this.#stored.digest, digest);
    this.#admitted = { ...code, digest };
  }

  /**
   * Wraps an engine so that, before every attempt after the first, its code is compared with the code of the first
   * attempt.
   */
  bind<Opened extends { readonly engine: Engine | string }>(opened: Opened): Opened {
    const admitted = this.#admitted;
    const { engine } = opened;
    if (admitted === undefined || typeof engine === "string") return opened;
    return { ...opened, engine: bindEngine(engine, admitted) };
  }
}

function bindEngine(engine: Engine, admitted: CodeSource & RecordedCode): Engine {
  let hasRun = false;
  return {
    execute: async (run, host, board) => {
      if (hasRun) assertSame(admitted, admitted.digest, await digestCode(admitted.roots));
      hasRun = true;
      return engine.execute(run, host, board);
    },
    capabilities: () => engine.capabilities?.() ?? {},
    unwrap: () => engine,
  };
}

function assertSame({ engine, source }: CodeSource, before: string | undefined, now: string | undefined): void {
  if (before !== undefined && before === now) return;
  const problem =
    before === undefined ? "the run has no record of its content" : "its content has changed since the run started";
  throw new EngineError("engine.code_changed", { engine, source, problem });
}
