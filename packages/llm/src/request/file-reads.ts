import { EngineError } from "@switchyard/contracts";

/** Reads a file that a message refers to by path. This package never opens files itself. */
export type FileReader = (path: string, options: { signal: AbortSignal }) => Promise<Uint8Array>;

/** Files that must be read before a request is sent. */
export interface FileReads {
  /**
   * Adds a file to read. `fill` is called with the file's content in base64. Throws `llm.unsupported_part` if no file
   * reader is configured.
   */
  add(path: string, fill: (base64: string) => void): void;
  /**
   * Reads the added files. `undefined` if there are none. Rejects with `llm.unsupported_part` if a file is unreadable.
   */
  read(signal: AbortSignal): Promise<unknown> | undefined;
}

/** Collects the files that one request contains by path, and reads them. */
export function createFileReads(readFile: FileReader | undefined, provider: string): FileReads {
  const pending: { path: string; fill: (base64: string) => void }[] = [];
  return {
    add(path, fill) {
      if (readFile !== undefined) pending.push({ path, fill });
      else
        throw new EngineError("llm.unsupported_part", {
          provider,
          part: "a file, because the client has no file reader",
        });
    },
    read(signal) {
      if (readFile === undefined || pending.length === 0) return undefined;
      const readOne = async (path: string): Promise<string> => {
        try {
          return Buffer.from(await readFile(path, { signal })).toString("base64");
        } catch (cause) {
          if (EngineError.is(cause)) throw cause;
          const part = `a file that cannot be read, ${path}`;
          throw new EngineError("llm.unsupported_part", { provider, part }, { cause });
        }
      };
      return Promise.all(pending.map(async ({ path, fill }) => fill(await readOne(path))));
    },
  };
}
