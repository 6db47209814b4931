import { chmodSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { but, type Making, type WrongEnvironment } from "./wrong-environment.ts";

function reading(change: (text: string) => string): (making: Making) => Partial<ExecutionEnvironment> {
  return ({ right }) => ({ readFile: async (path, options) => change(await right.readFile(path, options)) });
}

function bytesReading(change: (bytes: Uint8Array) => Uint8Array): (making: Making) => Partial<ExecutionEnvironment> {
  return ({ right }) => ({ readBytes: async (path, options) => change(await right.readBytes(path, options)) });
}

const unlocking = but(({ right, at }) => ({
  readFile: async (path) => {
    chmodSync(at(path), 0o700);
    return right.readFile(path);
  },
  writeFile: async (path, content) => {
    if (await right.exists(path)) chmodSync(at(path), 0o700);
    return right.writeFile(path, content);
  },
}));

/** Environments that read wrongly. */
export const wrongReading: readonly WrongEnvironment[] = [
  {
    fault: "a byte order mark is no text",
    noticedBy: ["read-as-written", "read-windows-join"],
    factory: but(reading((text) => text.replace(/^\uFEFF/, ""))),
  },
  {
    fault: "line ends are made one",
    noticedBy: ["read-as-written", "read-window", "golden-files"],
    factory: but(reading((text) => text.replaceAll("\r\n", "\n"))),
  },
  {
    fault: "an empty text is none",
    noticedBy: ["read-empty", "read-window-odd", "write-replaces"],
    factory: but(({ right }) => ({
      readFile: async (path, options) => {
        const text = await right.readFile(path, options);
        if (text === "") throw new EngineError("environment.file_not_found", { path });
        return text;
      },
    })),
  },
  {
    fault: "lines are counted from 0",
    noticedBy: ["read-window", "read-window-odd", "read-windows-join", "read-window-far"],
    factory: but(({ right }) => ({
      readFile: (path, { offset, limit } = {}) =>
        right.readFile(path, { offset: offset === undefined ? undefined : offset + 1, limit }),
    })),
  },
  {
    fault: "many characters end a line",
    noticedBy: ["read-window-line-ends"],
    factory: but(({ right }) => ({
      readFile: async (path, { offset = 1, limit } = {}) => {
        const lines = (await right.readFile(path)).match(/[^\n\r\u2028\u0085]*(\r\n|[\n\r\u2028\u0085]|$)/g) ?? [];
        return lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit).join("");
      },
    })),
  },
  {
    fault: "lines are remembered when the file has changed",
    noticedBy: ["read-window-far"],
    factory: but(({ right }) => {
      const remembered = new Map<string, string>();
      return {
        readFile: async (path, options) => {
          const key = `${path} ${options?.offset}`;
          const text = remembered.get(key) ?? (await right.readFile(path, options));
          remembered.set(key, text);
          return text;
        },
      };
    }),
  },
  {
    fault: "what is no UTF-8 is taken for Latin-1",
    noticedBy: ["read-invalid-utf8"],
    factory: but(({ right }) => ({
      readFile: async (path) => Buffer.from(await right.readBytes(path)).toString("latin1"),
    })),
  },
  {
    fault: "everything is text",
    noticedBy: ["read-binary"],
    factory: but(({ right }) => ({
      readFile: async (path) => new TextDecoder("utf-8").decode(await right.readBytes(path)),
    })),
  },
  {
    fault: "errors are those of Node",
    noticedBy: ["read-missing", "read-folder"],
    factory: but(({ at }) => ({ readFile: (path) => readFile(at(path), "utf8") })),
  },
  {
    fault: "errors name the whole path",
    noticedBy: ["read-missing", "read-binary"],
    factory: but(({ right, at }) => ({ readFile: (path, options) => right.readFile(at(path), options) })),
  },
  {
    fault: "a folder is a file of no bytes",
    noticedBy: ["read-folder"],
    factory: but(({ right }) => ({
      readBytes: async (path, options) => {
        const { kind } = await right.stat(path);
        return kind === "directory" ? new Uint8Array() : right.readBytes(path, options);
      },
    })),
  },
  {
    fault: "bytes pass through text",
    noticedBy: ["bytes-as-written", "read-invalid-utf8", "golden-files"],
    factory: but(bytesReading((bytes) => new TextEncoder().encode(new TextDecoder().decode(bytes)))),
  },
  {
    fault: "the length of a window is taken for its end",
    noticedBy: ["bytes-window", "bytes-window-odd"],
    factory: but(({ right }) => ({
      readBytes: async (path, { offset, length } = {}) => (await right.readBytes(path)).slice(offset ?? 0, length),
    })),
  },
  {
    fault: "a window behind the end is an error",
    noticedBy: ["bytes-window-odd"],
    factory: but(({ right }) => ({
      readBytes: async (path, options) => {
        if ((options?.offset ?? 0) >= (await right.stat(path)).size) throw new RangeError("behind the end");
        return right.readBytes(path, options);
      },
    })),
  },
  {
    fault: "four megabytes are enough",
    noticedBy: ["bytes-large"],
    factory: but(bytesReading((bytes) => bytes.slice(0, 4 * 1024 * 1024))),
  },
  {
    fault: "the bytes of a file are handed out again",
    noticedBy: ["bytes-apart"],
    factory: but(({ right }) => {
      let last: Uint8Array | undefined;
      return {
        readBytes: async (path) => {
          last ??= await right.readBytes(path);
          return last;
        },
      };
    }),
  },
  {
    fault: "what is locked is unlocked",
    noticedBy: ["read-forbidden", "write-forbidden"],
    factory: async (setting) => ({ ...(await unlocking(setting)), lacks: {} }),
  },
];
