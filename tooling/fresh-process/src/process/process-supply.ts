import { EngineProcess } from "./engine-process.ts";

/** Processes of one program: while one works, the next one begins. */
export class ProcessSupply {
  readonly #program: string;
  #next: EngineProcess | undefined;

  /** Makes the supply; nothing is started yet. */
  constructor(program: string) {
    this.#program = program;
  }

  /** A process that has taken no run. */
  take(): EngineProcess {
    const taken = this.#next ?? new EngineProcess(this.#program);
    this.#next = new EngineProcess(this.#program);
    return taken;
  }
}
