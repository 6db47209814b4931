import type { SpawnedProcess } from "@switchyard/contracts";
import { altered, but, type Making, pause, type WrongEnvironment } from "./wrong-environment.ts";

/** Changes the spawned process. */
function spawning(change: (right: SpawnedProcess) => Partial<SpawnedProcess>) {
  return ({ right }: Making) => ({
    spawn: async (...args: Parameters<typeof right.spawn>) => {
      const spawned = await right.spawn(...args);
      return altered(spawned, change(spawned));
    },
  });
}

/** The same stream with other chunks. */
function mapped(
  stream: ReadableStream<Uint8Array>,
  change: (chunk: Uint8Array) => Uint8Array,
): ReadableStream<Uint8Array> {
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => controller.enqueue(change(chunk)),
    }),
  );
}

/** The same stream, but a chunk of one given byte is returned with the next chunk only. */
function holdingBack(stream: ReadableStream<Uint8Array>, byte: number): ReadableStream<Uint8Array> {
  let held = new Uint8Array();
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const all = Buffer.concat([held, chunk]);
        held = all.length === 1 && all[0] === byte ? new Uint8Array(all) : new Uint8Array();
        if (held.length === 0) controller.enqueue(new Uint8Array(all));
      },
      flush: (controller) => controller.enqueue(held),
    }),
  );
}

/** A stream that reads all data immediately, without backpressure. */
function greedy(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let isWanted = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const take = async (): Promise<void> => {
        for await (const chunk of stream) if (isWanted) controller.enqueue(chunk);
        if (isWanted) controller.close();
      };
      void take().catch(() => {});
    },
    cancel() {
      isWanted = false;
    },
  });
}

/** Environments that spawn programs incorrectly. */
export const wrongSpawning: readonly WrongEnvironment[] = [
  {
    fault: "every piece of input becomes a line",
    noticedBy: ["spawn-duplex", "spawn-many"],
    factory: but(
      spawning((right) => {
        const writer = right.stdin.getWriter();
        return {
          stdin: new WritableStream<Uint8Array>({
            write: (chunk) => writer.write(Buffer.concat([chunk, Buffer.from("\n")])),
            close: () => writer.close(),
          }),
        };
      }),
    ),
  },
  {
    fault: "closing the input ends the program",
    noticedBy: ["spawn-half-close"],
    factory: but(
      spawning((right) => {
        const writer = right.stdin.getWriter();
        return {
          stdin: new WritableStream<Uint8Array>({
            write: (chunk) => writer.write(chunk),
            close: () => right.kill("SIGKILL"),
          }),
        };
      }),
    ),
  },
  {
    fault: "the end of a program is told when its output was read",
    noticedBy: ["spawn-kill-unread", "spawn-unread"],
    factory: but(
      spawning((right) => {
        let read: () => void = () => {};
        const isRead = new Promise<void>((resolve) => {
          read = resolve;
        });
        const flush = () => read();
        const stdout = right.stdout.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ flush }));
        return { stdout, exited: Promise.all([right.exited, isRead]).then(([exit]) => exit) };
      }),
    ),
  },
  {
    fault: "spawned programs have one stream",
    noticedBy: ["spawn-streams", "spawn-unread"],
    factory: but(({ right }) => ({
      spawn: ([program = "", flag = "", line = "", ...more], options) =>
        right.spawn(program === "sh" ? [program, flag, `exec 2>&1; ${line}`] : [program, flag, line, ...more], options),
    })),
  },
  {
    fault: "spawned programs print text",
    noticedBy: ["spawn-every-byte"],
    factory: but(
      spawning((right) => ({ stdout: mapped(right.stdout, (chunk) => Buffer.from(Buffer.from(chunk).toString())) })),
    ),
  },
  {
    fault: "all output is taken at once",
    noticedBy: ["spawn-back-pressure"],
    factory: but(spawning((right) => ({ stdout: greedy(right.stdout) }))),
  },
  {
    fault: "output that nobody read is gone with the program",
    noticedBy: ["spawn-unread"],
    factory: but(
      spawning((right) => ({
        stdout: new ReadableStream<Uint8Array>({
          start: (controller) => void right.exited.then(() => controller.close()),
        }),
      })),
    ),
  },
  {
    fault: "every signal is SIGKILL",
    noticedBy: ["spawn-kill", "spawn-interrupt"],
    factory: but(spawning((right) => ({ kill: () => right.kill("SIGKILL") }))),
  },
  {
    fault: "disposal of a spawned program does nothing",
    noticedBy: ["spawn-dispose"],
    factory: but(spawning(() => ({ [Symbol.asyncDispose]: async () => {} }))),
  },
  {
    fault: "a spawned program that is not there has exit code 127",
    noticedBy: ["spawn-refused"],
    factory: but(({ right }) => ({
      spawn: (argv, options) => right.spawn(argv.length === 0 ? [] : ["sh", "-c", 'exec "$@"', "sh", ...argv], options),
    })),
  },
  {
    fault: "spawned programs get no variables and run in the workspace",
    noticedBy: ["spawn-options", "spawn-refused"],
    factory: but(({ right }) => ({ spawn: (argv, options) => right.spawn(argv, { signal: options?.signal }) })),
  },
  {
    fault: "a spawned line is no command line",
    noticedBy: ["spawn-shell"],
    factory: but(({ right }) => ({ spawnShell: (line, options) => right.spawn(["echo", line], options) })),
  },
  {
    fault: "writing to a program that is over takes its time",
    noticedBy: ["spawn-input-of-the-dead"],
    factory: but(spawning(() => ({ stdin: new WritableStream<Uint8Array>({ write: () => pause(2_500) }) }))),
  },
  {
    fault: "the input of a program that is over cannot be closed",
    noticedBy: ["spawn-close-of-the-dead"],
    factory: but(
      spawning((right) => {
        let isOver = false;
        void right.exited.then(() => {
          isOver = true;
        });
        const close = async (): Promise<void> => {
          if (isOver) throw new TypeError("the stream is closed");
        };
        return { stdin: new WritableStream<Uint8Array>({ close }) };
      }),
    ),
  },
  {
    fault: "output that ends with the first byte of an internal report is held back",
    noticedBy: ["spawn-last-byte"],
    factory: but(spawning((right) => ({ stdout: holdingBack(right.stdout, 0x1e) }))),
  },
  {
    fault: "a program goes on when nobody reads any more",
    noticedBy: ["spawn-cancel"],
    factory: but(spawning((right) => ({ stdout: greedy(right.stdout) }))),
  },
];
