import { type Engine, EngineError } from "@switchyard/contracts";
import { type CodeRoot, digestCode } from "./digest-code.ts";

/** What is stored about the code that a run began with. */
export interface RecordedCode {
  /** Digest of its files; `undefined` if none was stored. */
  readonly digest: string | undefined;
}

/** Code of a project that an engine consists of. */
export interface CodeSource {
  /** Name of the engine. */
  readonly engine: string;
  /** What it comes from, such as `the package acme`. */
  readonly source: string;
  /** Its files and folders. */
  readonly roots: readonly CodeRoot[];
}

/**
 * Code of a trusted project that a run loads or executes. It is used with the content that it had when the user trusted
 * it, and refused when an agent or anybody else changed it since. architecture: decision 32.
 */
export class ProjectCode {
  readonly #kept: RecordedCode | undefined;
  #admitted: (CodeSource & RecordedCode) | undefined;

  /** `kept` is what the run began with; leave it out where the user trusts the code as it is now. */
  constructor(kept?: RecordedCode) {
    this.#kept = kept;
  }

  /** Digest of the code that was admitted; `undefined` if none was, or if it is too much to compare. */
  get digest(): string | undefined {
    return this.#admitted?.digest;
  }

  /** Call it before code is loaded. Rejects with `engine.code_changed`. */
  async admit(code: CodeSource): Promise<void> {
    const digest = await digestCode(code.roots);
    if (this.#kept !== undefined) assertSame(code, this.#kept.digest, digest);
    this.#admitted = { ...code, digest };
  }

  /** Returns the engine so that it compares its code again before every further attempt. */
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
    before === undefined ? "the run has no record of its content" : "its content has changed since the run began";
  throw new EngineError("engine.code_changed", { engine, source, problem });
}
