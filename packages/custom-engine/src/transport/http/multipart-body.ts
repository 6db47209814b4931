import { randomUUID } from "node:crypto";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import type { SelectedFile } from "./select-files.ts";

/** Number of bytes that are read from a file at a time. */
const WINDOW_BYTES = 1024 * 1024;

/** A multipart request body. */
export interface MultipartBody {
  readonly contentType: string;
  /** Total length, in bytes. */
  readonly length: number;
  /** Content of the body, which is read from files while it is sent. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface Part {
  readonly head: Uint8Array;
  readonly length: number;
  readonly content: () => AsyncIterable<Uint8Array>;
}

/**
 * Creates a body with the part `payload` and one part `files` per file. Files are read from the workspace while they
 * are sent, so the body is never completely in memory. See custom-engine: HTTP multi-turn conversations, HTTP input
 * files.
 */
export function createMultipartBody(
  payload: string,
  files: readonly SelectedFile[],
  environment: ExecutionEnvironment,
): MultipartBody {
  const boundary = `switchyard-${randomUUID()}`;
  const json = Buffer.from(payload);
  const parts: Part[] = [
    {
      head: headOf(boundary, { name: "payload", contentType: "application/json" }),
      length: json.length,
      content: async function* () {
        yield json;
      },
    },
    ...files.map((file) => ({
      head: headOf(boundary, { name: "files", filename: file.path, contentType: "application/octet-stream" }),
      length: file.size,
      content: () => readWindows(file, environment),
    })),
  ];
  const end = Buffer.from(`--${boundary}--\r\n`);
  const length = parts.reduce((sum, { head, length: size }) => sum + head.length + size + 2, end.length);
  return { contentType: `multipart/form-data; boundary=${boundary}`, length, bytes: join(parts, end) };
}

const LINE_END = Buffer.from("\r\n");

async function* join(parts: readonly Part[], end: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const { head, content } of parts) {
    yield head;
    yield* content();
    yield LINE_END;
  }
  yield end;
}

interface PartName {
  readonly name: string;
  readonly filename?: string | undefined;
  readonly contentType: string;
}

function headOf(boundary: string, { name, filename, contentType }: PartName): Uint8Array {
  const file = filename === undefined ? "" : `; filename="${escapeName(filename)}"`;
  return Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\nContent-Type: ${contentType}\r\n\r\n`,
  );
}

/** Escapes a file name as browsers do. */
function escapeName(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

/**
 * Reads exactly as many bytes of a file as the body's length includes. At each read, the environment checks that the
 * path is inside the workspace.
 */
async function* readWindows(
  { path, size }: SelectedFile,
  environment: ExecutionEnvironment,
): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < size; ) {
    const bytes = await environment.readBytes(path, { offset: sent, length: Math.min(WINDOW_BYTES, size - sent) });
    if (bytes.length === 0)
      throw new EngineError("transport.failed", { problem: `${path} was changed while it was sent` });
    sent += bytes.length;
    yield bytes;
  }
}
