import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { EngineError, messageOf } from "@switchyard/contracts";
import type { AuditEntry, AuditLog } from "./audit-log.ts";

const FILE_MODE = 0o600;
/** Permission bits of users other than a file's owner. */
const GROUP_AND_OTHERS = 0o077;
const NEWLINE = 0x0a;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/** Options of `openAuditLog`. */
export interface OpenAuditLogOptions {
  /** Called with `server.audit_log_failed` when entries can no longer be written. */
  readonly onError: (error: unknown) => void;
}

/**
 * Opens a file as an audit log, with one JSON object per line. Creates the file, readable by its owner only. The file
 * may be renamed or removed at any time, as log rotation does: the next entry goes to a new file of the same name.
 * Rejects with `server.audit_log_failed` if other users can access the file, or if it is not a regular file.
 */
export async function openAuditLog(path: string, { onError }: OpenAuditLogOptions): Promise<AuditLog> {
  const log = new AuditFile(path, await openFile(path), onError);
  return {
    write: (entry) => log.write(entry),
    isWritable: () => log.isWritable(),
    close: () => log.close(),
  };
}

class AuditFile {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  #file: FileHandle;
  #lines: string[] = [];
  /** Bytes of entries that have not been written yet. May begin in the middle of a line. */
  #rest: Buffer = Buffer.alloc(0);
  #isMidLine = false;
  #hasFailed = false;
  #last: Promise<void> = Promise.resolve();
  #scheduled: Promise<void> | undefined;

  constructor(path: string, file: FileHandle, onError: (error: unknown) => void) {
    this.#path = path;
    this.#file = file;
    this.#onError = onError;
  }

  write(entry: AuditEntry): Promise<void> {
    this.#lines.push(`${JSON.stringify(entry)}\n`);
    return this.#flush();
  }

  async isWritable(): Promise<boolean> {
    if (this.#hasFailed) await this.#flush();
    return !this.#hasFailed;
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#file.close();
  }

  /**
   * Writes all entries. Entries that arrive during a flush are written together by the next flush, which calls
   * `datasync` only once.
   */
  #flush(): Promise<void> {
    this.#scheduled ??= this.#last = this.#last.then(() => {
      this.#scheduled = undefined;
      return this.#writeAll();
    });
    return this.#scheduled;
  }

  async #writeAll(): Promise<void> {
    try {
      // If a line was written only in part, the rest must go to the same file. Whether log rotation has replaced the
      // file is therefore only checked after the end of a line.
      if (!this.#isMidLine) await this.#followRotation();
      this.#rest = Buffer.concat([this.#rest, Buffer.from(this.#lines.join(""))]);
      this.#lines = [];
      while (this.#rest.length > 0) {
        const { bytesWritten } = await this.#file.write(this.#rest);
        if (bytesWritten > 0) this.#isMidLine = this.#rest[bytesWritten - 1] !== NEWLINE;
        this.#rest = this.#rest.subarray(bytesWritten);
      }
      await this.#file.datasync();
      this.#hasFailed = false;
    } catch (error) {
      const failed = EngineError.is(error) ? error : failure(this.#path, messageOf(error), error);
      // Each request tries to write again, so only the first failure is reported.
      if (!this.#hasFailed) this.#onError(failed);
      this.#hasFailed = true;
    }
  }

  /** Opens the file again if its path names another file than before, or none. */
  async #followRotation(): Promise<void> {
    const [named, opened] = await Promise.all([stat(this.#path).catch(() => undefined), this.#file.stat()]);
    if (named !== undefined && named.ino === opened.ino && named.dev === opened.dev) return;
    const file = await openFile(this.#path);
    await this.#file.close();
    this.#file = file;
  }
}

async function openFile(path: string): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    // Does not follow symbolic links, and does not block if the file is a named pipe.
    file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, FILE_MODE);
    const { mode, size } = await file.stat();
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw failure(path, "it is not a regular file");
    if (process.platform !== "win32" && (mode & GROUP_AND_OTHERS) !== 0)
      throw failure(path, "other users can access it");
    // A crash may have cut the last line.
    if (size > 0 && (await lastByteOf(file, size)) !== NEWLINE) await file.write("\n");
    return file;
  } catch (error) {
    await file?.close();
    throw EngineError.is(error) ? error : failure(path, messageOf(error), error);
  }
}

async function lastByteOf(file: FileHandle, size: number): Promise<number | undefined> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0];
}

function failure(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("server.audit_log_failed", { path, problem }, { cause });
}
