import { EngineError } from "@switchyard/contracts";

/** Most bytes that Linux takes as one argument, its end included. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/**
 * Throws `adapter.prompt_too_long` when an argument is longer than a process can be started with. agent-adapter:
 * arguments; decision 17.
 */
export function assertArgumentLength(argv: readonly string[], kind: string): void {
  for (const argument of argv) {
    const bytes = Buffer.byteLength(argument);
    if (bytes > MAX_ARGUMENT_BYTES) {
      throw new EngineError("adapter.prompt_too_long", { kind, bytes, maxBytes: MAX_ARGUMENT_BYTES });
    }
  }
}
