import type { ExecutionEnvironment, OutputSpool, SpooledOutput } from "@switchyard/contracts";

/** Prefix of the names of files that contain raw process output. */
export const RAW_PREFIX = "raw-";

/** Stores the output of an engine's processes, with secrets redacted. */
export interface RawOutput {
  /** Wraps an environment so that the output of spawned processes is stored while the engine reads it. */
  watch(environment: ExecutionEnvironment): ExecutionEnvironment;
  /** Resolves when all output is stored. Rejects with storage errors. */
  finish(): Promise<void>;
}

type Process = Awaited<ReturnType<ExecutionEnvironment["spawn"]>>;

/** Creates the raw output store of a session. `attempt` returns the current attempt. */
export function createRawOutput(spool: OutputSpool, attempt: () => number): RawOutput {
  const outputs: SpooledOutput[] = [];
  let processes = 0;

  function through(stream: ReadableStream<Uint8Array>, name: string): ReadableStream<Uint8Array> {
    const decoder = new TextDecoder("utf-8");
    let output: SpooledOutput | undefined;
    const write = (text: string): void => {
      if (text === "") return;
      if (output === undefined) {
        output = spool.open(name);
        outputs.push(output);
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
        get(target, field) {
          if (field === "spawn") {
            const spawn: ExecutionEnvironment["spawn"] = async (...args) => watchProcess(await target.spawn(...args));
            return spawn;
          }
          const value: unknown = Reflect.get(target, field, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
    async finish() {
      await Promise.all(outputs.splice(0).map((output) => output.finish()));
    },
  };
}
