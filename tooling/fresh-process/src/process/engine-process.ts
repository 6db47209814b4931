import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import process from "node:process";
import type { Message, Numbered } from "../wire/encoded.ts";
import { FrameReader, toFrame } from "../wire/frame.ts";
import { Peer } from "../wire/peer.ts";
import type { EngineJob, JobOutcome } from "./engine-job.ts";
import { type Answered, PIPE, type Said } from "./pipe-frames.ts";

function isOutcome(value: unknown): value is JobOutcome {
  return typeof value === "object" && value !== null && "isOk" in value && "board" in value;
}

/** Test-side handle of a `serveEngines` process, which executes one run. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #peer: Peer = new Peer({ tell: (message) => this.#tell(message) });
  readonly #gone: Promise<unknown[]>;
  /** Messages that it may not have handled. */
  #waiting: Numbered[] = [];
  #count = 0;
  #isOver = false;

  /** Starts the process, which does not keep this one alive until it runs an engine. */
  constructor(program: string) {
    this.#child = spawn(process.execPath, [program], { stdio: ["pipe", "inherit", "inherit", "pipe", "pipe"] });
    this.#gone = once(this.#child, "exit");
    const reader = new FrameReader();
    this.#pipe(PIPE.speaks).on("data", (piece: Buffer) => {
      for (const said of reader.read<Said>(piece)) this.#hear(said);
    });
    for (const socket of this.#pipes()) {
      // It is killed while messages are being sent.
      socket.on("error", () => {});
      socket.unref();
    }
    this.#child.unref();
  }

  /** Process id. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Runs an engine in the process. Rejects if the process exits before the run is over. */
  async run(job: EngineJob): Promise<JobOutcome> {
    for (const held of [this.#child, ...this.#pipes()]) held.ref();
    const end = this.#gone.then(([code, signal]) => {
      throw new Error(`The engine's process ended by itself, with ${String(signal ?? code)}.`);
    });
    const outcome: unknown = await Promise.race([this.#peer.callRoot("run", job), end]);
    if (!isOutcome(outcome)) throw new TypeError("The engine's process ended its run with something else.");
    return outcome;
  }

  /** Asks the engine for a checkpoint. */
  suggestCheckpoint(): void {
    this.#peer.callRoot("suggestCheckpoint");
  }

  /** Ignores further messages and kills the process. */
  async kill(): Promise<void> {
    this.#isOver = true;
    this.#peer.close();
    this.#child.kill("SIGKILL");
    await this.#gone;
  }

  #pipe(number: number): Socket {
    const pipe: unknown = this.#child.stdio[number];
    if (!(pipe instanceof Socket)) throw new TypeError(`The engine's process has no pipe ${number}.`);
    return pipe;
  }

  #pipes(): Socket[] {
    return Object.values(PIPE).map((number) => this.#pipe(number));
  }

  #tell(message: Message): void {
    if (this.#isOver) return;
    this.#count += 1;
    const numbered = { number: this.#count, message };
    this.#waiting.push(numbered);
    this.#pipe(PIPE.told).write(toFrame(numbered));
  }

  #hear({ taken, message, question }: Said): void {
    if (this.#isOver) return;
    this.#waiting = this.#waiting.filter(({ number }) => number > taken);
    if (message !== undefined) this.#peer.take(message);
    if (question === undefined) return;
    const answer = this.#peer.answer(question);
    // The question may have ended it.
    if (this.#isOver) return;
    this.#pipe(PIPE.answered).write(toFrame({ told: this.#waiting, answer } satisfies Answered));
  }
}
