import type { ExecutionEnvironment, OutputSpool, SpooledOutput } from "@switchyard/contracts";

/** Beginning of the names under which raw output is kept. */
export const RAW_PREFIX = "raw-";

/** Keeps what the processes of an engine print, as it was printed but for secrets. */
export interface RawOutput {
  /** The same place; what a process prints that is started in it and held by its starter is kept on its way. */
  watch(environment: ExecutionEnvironment): ExecutionEnvironment;
  /** Resolves when everything is kept. Rejects with what keeping it failed with. */
  finish(): Promise<void>;
}

type Process = Awaited<ReturnType<ExecutionEnvironment["spawn"]>>;

/** Makes the keeper of a session; `attempt` says which attempt is under way. */
export function createRawOutput(spool: OutputSpool, attempt: () => number): RawOutput {
  const kept: SpooledOutput[] = [];
  let processes = 0;

  function through(stream: ReadableStream<Uint8Array>, name: string): ReadableStream<Uint8Array> {
    const decoder = new TextDecoder("utf-8");
    let output: SpooledOutput | undefined;
    const write = (text: string): void => {
      if (text === "") return;
      if (output === undefined) {
        output = spool.open(name);
        kept.push(output);
      }
      output.write(text);
    };
    return stream.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          write(decoder.decode(chunk, { stream: true }));
          controller.enqueue(chunk);
        },
        flush: () => write(decoder.decode()),
      }),
    );
  }

  function watchProcess(process: Process): Process {
    processes += 1;
    const name = `${RAW_PREFIX}${attempt()}-${processes}`;
    return {
      pid: process.pid,
      stdin: process.stdin,
      stdout: through(process.stdout, `${name}-stdout`),
      stderr: through(process.stderr, `${name}-stderr`),
      exited: process.exited,
      kill: (signal) => process.kill(signal),
      [Symbol.asyncDispose]: () => Promise.resolve(process[Symbol.asyncDispose]()),
    };
  }
  return {
    watch: (environment) =>
      new Proxy(environment, {
        get(place, field) {
          if (field === "spawn") {
            const spawn: ExecutionEnvironment["spawn"] = async (...words) => watchProcess(await place.spawn(...words));
            return spawn;
          }
          const value: unknown = Reflect.get(place, field, place);
          return typeof value === "function" ? value.bind(place) : value;
        },
      }),
    async finish() {
      await Promise.all(kept.splice(0).map((output) => output.finish()));
    },
  };
}
