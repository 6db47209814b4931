import { EngineError } from "@switchyard/contracts";

/** Maximum size of one argument on Linux, in bytes, including its terminator. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/**
 * Throws `adapter.prompt_too_long` if an argument exceeds the operating system's limit. See agent-adapter: arguments;
 * decision 17.
 */
export function assertArgumentLength(argv: readonly string[], kind: string): void {
  for (const argument of argv) {
    const bytes = Buffer.byteLength(argument);
    if (bytes > MAX_ARGUMENT_BYTES) {
      throw new EngineError("adapter.prompt_too_long", { kind, bytes, maxBytes: MAX_ARGUMENT_BYTES });
    }
  }
}
