import type { EffectJournal, EffectStatus, IntendedEffect } from "@switchyard/contracts";
import { interruptedError } from "../interrupt/interrupted-error.ts";
import type { StoredEffect } from "./step-state.ts";

/** Returns the error that stops an engine at the end of a step. */
export function stepEnded(): Error {
  return interruptedError({ cause: "custom", detail: "the step has ended" });
}

/**
 * Effects of one step. Effects are actions of the engine, such as tool calls. Only these records contain which effects
 * this process has started.
 */
export class EffectRecords implements EffectJournal {
  readonly #records: Map<string, StoredEffect>;
  readonly #hasClaim: boolean;
  readonly #running = new Set<string>();
  readonly #idle = new Set<() => void>();
  // Copy of the records at the checkpoint that ends the step. Outcomes of effects that still run are added to the copy.
  #captured: Map<string, StoredEffect> | undefined;
  #isClosed = false;

  /** Creates the records of a step. With a claim, effects that no step has started may start. */
  constructor(stored: readonly StoredEffect[], hasClaim: boolean) {
    this.#records = new Map(stored.map((effect) => [effect.id, { ...effect }]));
    this.#hasClaim = hasClaim;
  }

  find(id: string): EffectStatus {
    const record = this.#records.get(id);
    if (record === undefined) return { kind: "new" };
    if (record.status === "done") return { kind: "done", outcome: record.outcome };
    return { kind: record.status === "intended" && this.#hasClaim ? "intended" : "unknown" };
  }

  intend(effects: readonly IntendedEffect[]): void {
    for (const { id, name, effects: kind, arguments: text } of effects) {
      const details = text === undefined ? {} : { arguments: text };
      this.#records.set(id, { id, name, effects: kind, ...details, status: "intended" });
    }
  }

  begin(id: string): void {
    const record = this.#records.get(id);
    if (this.#isClosed || record === undefined || this.find(id).kind !== "intended") throw stepEnded();
    record.status = "started";
    const captured = this.#captured?.get(id);
    if (captured !== undefined) captured.status = "started";
    this.#running.add(id);
  }

  end(id: string, outcome: unknown): void {
    if (this.#isClosed) return;
    for (const records of [this.#records, this.#captured]) {
      const record = records?.get(id);
      if (record === undefined) continue;
      record.status = "done";
      record.outcome = outcome;
    }
    this.#rest(id);
  }

  forget(ids: readonly string[]): void {
    if (this.#isClosed) return;
    for (const id of ids) {
      this.#records.delete(id);
      this.#rest(id);
    }
  }

  /**
   * Takes the records that the state after the step will contain. Until `close`, outcomes of these effects are still
   * added.
   */
  capture(): void {
    this.#captured ??= new Map(Array.from(this.#records, ([id, record]) => [id, { ...record }]));
  }

  /** Resolves when no effect runs, or the signal aborts. */
  async idle(signal: AbortSignal): Promise<void> {
    while (this.#running.size > 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#idle.add(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  /** Ends the step: no effect may start, and later outcomes are ignored. Returns the records. */
  close(): readonly StoredEffect[] {
    this.#isClosed = true;
    return Array.from((this.#captured ?? this.#records).values());
  }

  #rest(id: string): void {
    this.#running.delete(id);
    for (const wake of this.#idle) wake();
    this.#idle.clear();
  }
}
