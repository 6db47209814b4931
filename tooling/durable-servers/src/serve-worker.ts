import process from "node:process";

/** Functions of a worker that its parent calls. */
export type WorkerFunctions = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

function isCall(value: unknown): value is { id: number; name: string; args: unknown[] } {
  return typeof value === "object" && value !== null && "id" in value && "name" in value && "args" in value;
}

/** Settings that the parent has passed to this worker. */
export function workerSettings(): Readonly<Record<string, unknown>> {
  return JSON.parse(process.argv[2] ?? "{}");
}

/**
 * Returns a function that reports moments to the parent. The process kills itself at the moment with the given number,
 * counted from 1; 0 means never.
 */
export function momentsOf(dieAt: number): (moment: string) => void {
  let count = 0;
  return (moment) => {
    count += 1;
    if (count === dieAt) process.kill(process.pid, "SIGKILL");
    process.send?.({ moment });
  };
}

/** Answers calls of the parent, and ends when the parent is gone. */
export function serveWorker(functions: WorkerFunctions): void {
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    if (!isCall(message)) return;
    const { id, name, args } = message;
    const call = functions[name] ?? (() => Promise.reject(new Error(`there is no function ${name}`)));
    call(...args).then(
      (value) => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, error: String(error) }),
    );
  });
  process.send?.({});
}
