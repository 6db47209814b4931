import type { ExecutionEnvironment, ReadBytesOptions, ReadFileOptions } from "@switchyard/contracts";
import { copyBytes } from "../output/to-bytes.ts";
import { ReadGuard } from "./read-guard.ts";
import { createSerialQueue } from "./serial-queue.ts";
import type { WrapperOptions } from "./wrap-environment.ts";
import { wrapEnvironment } from "./wrap-environment.ts";

/**
 * Wraps an environment and protects its existing files. A file can be overwritten, replaced by a move or removed only
 * if it was read through this wrapper and has not changed since then. Otherwise the operation fails with
 * `environment.file_not_read` or `environment.file_changed`. A written file counts as read; new files can be created
 * freely; a folder can be removed if all its files were read. Reading a part of a file counts as reading the file, a
 * search does not. Commands are not restricted, but their changes are detected at the next write. Protects against
 * mistakes; not a security boundary. See loop: §8, read-before-write guardrail.
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
        (bytes) => (isComplete(window) ? bytes : undefined),
      );
    },
    writeFile: (path, content) =>
      inTurn(async () => {
        // The content is copied, because the caller may reuse its buffer.
        const copy = copyBytes(content);
        await guard.assertKnown(path);
        await environment.writeFile(path, copy);
        await guard.remember(path, copy).catch(() => guard.forget(path));
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

/** Returns the bytes of a file whose whole text was read. `undefined` if it contained invalid UTF-8. */
function contentOf(window: ReadFileOptions | undefined): (text: string) => Uint8Array | undefined {
  return (text) => {
    const isAll = (window?.offset ?? 1) <= 1 && window?.limit === undefined;
    return isAll && !text.includes("\uFFFD") ? new TextEncoder().encode(text) : undefined;
  };
}

function isComplete(window: ReadBytesOptions | undefined): boolean {
  return (window?.offset ?? 0) <= 0 && window?.length === undefined;
}
