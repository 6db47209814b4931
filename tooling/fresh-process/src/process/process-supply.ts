import { EngineProcess } from "./engine-process.ts";

/** Supply of processes of one program: the next one starts while one works. */
export class ProcessSupply {
  readonly #program: string;
  #next: EngineProcess | undefined;

  /** Creates the supply without starting a process. */
  constructor(program: string) {
    this.#program = program;
  }

  /** Returns a process that has not executed a run. */
  take(): EngineProcess {
    const taken = this.#next ?? new EngineProcess(this.#program);
    this.#next = new EngineProcess(this.#program);
    return taken;
  }
}
