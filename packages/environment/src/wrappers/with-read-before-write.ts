import type { ExecutionEnvironment, ReadBytesOptions, ReadFileOptions } from "@switchyard/contracts";
import { copyBytes } from "../output/to-bytes.ts";
import { ReadGuard } from "./read-guard.ts";
import { createSerialQueue } from "./serial-queue.ts";
import type { WrapperOptions } from "./wrap-environment.ts";
import { wrapEnvironment } from "./wrap-environment.ts";

/**
 * An environment in which a file that is there may only be overwritten, replaced by a move, or removed when it was read
 * through this very environment and has not changed since: else `environment.file_not_read` and
 * `environment.file_changed`. Whoever wrote a file knows it; new files are free; a folder is removed when all its files
 * are known. A search is no reading, a window of a file is. Commands are let through: a change they make is seen at the
 * next write. A safety net for mistakes, no boundary. loop: §8, read-before-write guardrail.
 */
export function withReadBeforeWrite(
  environment: ExecutionEnvironment,
  options: WrapperOptions = {},
): ExecutionEnvironment {
  const guard = new ReadGuard(environment);
  const inTurn = createSerialQueue();
  const guarded: ExecutionEnvironment = {
    ...wrapEnvironment(environment, { suffix: "", keepOpen: true }),
    name: environment.name,
    readFile: (path, window) => guard.read(path, () => environment.readFile(path, window), contentOf(window)),
    readBytes: (path, window) => {
      if (window?.isProbe === true) return environment.readBytes(path, window);
      return guard.read(
        path,
        () => environment.readBytes(path, window),
        (bytes) => (isWhole(window) ? bytes : undefined),
      );
    },
    writeFile: (path, content) =>
      inTurn(async () => {
        // A copy: the caller may use its bytes again.
        const kept = copyBytes(content);
        await guard.assertKnown(path);
        await environment.writeFile(path, kept);
        await guard.remember(path, kept).catch(() => guard.forget(path));
      }),
    rename: (from, to) =>
      inTurn(async () => {
        await guard.assertKnown(to);
        await environment.rename(from, to);
        guard.move(from, to);
      }),
    remove: (path) =>
      inTurn(async () => {
        await guard.assertKnown(path, { deep: true });
        await environment.remove(path);
        guard.forget(path);
      }),
    [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose](),
  };
  return wrapEnvironment(guarded, { suffix: "read-before-write", keepOpen: options.keepOpen });
}

/** The bytes of a text that was read whole; not of one with bytes that are no UTF-8. */
function contentOf(window: ReadFileOptions | undefined): (text: string) => Uint8Array | undefined {
  return (text) => {
    const isAll = (window?.offset ?? 1) <= 1 && window?.limit === undefined;
    return isAll && !text.includes("\uFFFD") ? new TextEncoder().encode(text) : undefined;
  };
}

function isWhole(window: ReadBytesOptions | undefined): boolean {
  return (window?.offset ?? 0) <= 0 && window?.length === undefined;
}
