import process from "node:process";
import type { Engine } from "@switchyard/contracts";
import type { Message, Numbered, Question } from "../wire/encoded.ts";
import { FrameReader } from "../wire/frame.ts";
import { Peer } from "../wire/peer.ts";
import { readFrame, writeFrame } from "./blocking-pipe.ts";
import type { EngineJob, JobOutcome } from "./engine-job.ts";
import { type Answered, PIPE, type Said } from "./pipe-frames.ts";
import { runJob } from "./run-job.ts";

/** Creates an engine from options sent by the test. */
export type EngineFactory = (options: never) => Engine;

function createEngine(engines: Readonly<Record<string, EngineFactory>>, { engine, options }: EngineJob): Engine {
  const create = Object.hasOwn(engines, engine) ? engines[engine] : undefined;
  if (create === undefined) throw new TypeError(`The program has no engine ${engine}.`);
  return Reflect.apply(create, undefined, [options]);
}

/** The parent process is gone, so this one exits too. */
function leave(): never {
  process.exit(1);
}

/**
 * Main function of an engine's process. It executes one run of one of these engines for the test that started it.
 * Everything that the run needs from the test (model, environment, host, functions in options) stays there and is
 * called through pipes; the engine and its memory are here.
 */
export function serveEngines(engines: Readonly<Record<string, EngineFactory>>): void {
  let taken = 0;
  let engine: Engine | undefined;

  function take({ number, message }: Numbered): void {
    // A message arrives twice if it was sent while this process waited for an answer.
    if (number <= taken) return;
    taken = number;
    peer.take(message);
  }

  function say(said: Omit<Said, "taken">): void {
    writeFrame(PIPE.speaks, { taken, ...said } satisfies Said);
  }

  const peer = new Peer(
    {
      tell: (message: Message) => say({ message }),
      ask: (question: Question) => {
        say({ question });
        const { told, answer } = readFrame<Answered>(PIPE.answered) ?? leave();
        for (const one of told) take(one);
        return answer;
      },
    },
    {
      run: (job: EngineJob): Promise<JobOutcome> => {
        engine = createEngine(engines, job);
        return runJob(job, engine);
      },
      suggestCheckpoint: () => engine?.suggestCheckpoint?.(),
    },
  );

  const reader = new FrameReader();
  process.stdin.on("data", (piece: Buffer) => {
    for (const one of reader.read<Numbered>(piece)) take(one);
  });
  process.stdin.on("end", leave);
}
