import { type Engine, EngineError } from "@switchyard/contracts";
import { type CodeRoot, digestCode } from "./digest-code.ts";

/** Stored digest of the code that a run started with. */
export interface RecordedCode {
  /** Digest of the code. `undefined` if none was stored. */
  readonly digest: string | undefined;
}

/** Code of a project that implements an engine. */
export interface CodeSource {
  /** Name of the engine. */
  readonly engine: string;
  /** Origin of the code, such as `the package acme`. */
  readonly source: string;
  /** Files and folders of the code. */
  readonly roots: readonly CodeRoot[];
}

/**
 * Checks the code of a trusted project that a run executes: code that has changed since the run started is refused.
 * architecture: decision 32.
 */
export class ProjectCode {
  readonly #kept: RecordedCode | undefined;
  #admitted: (CodeSource & RecordedCode) | undefined;

  /** `kept` is the code that the run started with. `undefined`: the user trusts the current code. */
  constructor(kept?: RecordedCode) {
    this.#kept = kept;
  }

  /** Digest of the admitted code. `undefined` if no code was admitted, or if it is too large to compare. */
  get digest(): string | undefined {
    return this.#admitted?.digest;
  }

  /** Checks code before it is loaded. Rejects with `engine.code_changed` if it differs from the recorded code. */
  async admit(code: CodeSource): Promise<void> {
    const digest = await digestCode(code.roots);
    if (this.#kept !== undefined) assertSame(code, this.#kept.digest, digest);
    this.#admitted = { ...code, digest };
  }

  /** Wraps an engine so that its code is compared again before every later attempt. */
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
