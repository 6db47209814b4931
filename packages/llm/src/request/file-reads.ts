import { EngineError } from "@switchyard/contracts";

/** Reads a file that a message names by its path. Nothing here opens files by itself. */
export type FileReader = (path: string, options: { signal: AbortSignal }) => Promise<Uint8Array>;

/** Files that a request has to wait for. */
export interface FileReads {
  /** Asks for a file; `fill` is given its bytes as base64. Errors: `llm.unsupported_part` without a reader. */
  add(path: string, fill: (base64: string) => void): void;
  /** Reads what was asked for; undefined when that is nothing. Errors: `llm.unsupported_part` when one cannot be read. */
  read(signal: AbortSignal): Promise<unknown> | undefined;
}

/** The files of one request. */
export function createFileReads(readFile: FileReader | undefined, provider: string): FileReads {
  const asked: { path: string; fill: (base64: string) => void }[] = [];
  return {
    add(path, fill) {
      if (readFile !== undefined) asked.push({ path, fill });
      else throw new EngineError("llm.unsupported_part", { provider, part: "a file without a reader of files" });
    },
    read(signal) {
      if (readFile === undefined || asked.length === 0) return undefined;
      const readOne = async (path: string): Promise<string> => {
        try {
          return Buffer.from(await readFile(path, { signal })).toString("base64");
        } catch (cause) {
          if (EngineError.is(cause)) throw cause;
          const part = `a file that cannot be read, ${path}`;
          throw new EngineError("llm.unsupported_part", { provider, part }, { cause });
        }
      };
      return Promise.all(asked.map(async ({ path, fill }) => fill(await readOne(path))));
    },
  };
}
