import { type AgentContext, type FileSystemCapabilities, methods, RequestError } from "@agentclientprotocol/sdk";
import { EngineError, messageOf } from "@switchyard/contracts";

/** Error code of ACP for a file that does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

/**
 * Files as the editor shows them, including unsaved changes. A method is `undefined` if the editor does not offer it.
 */
export interface EditorFiles {
  /** Returns the text of a file, given its absolute path. Rejects with `environment.*`. */
  readonly readText: ((path: string) => Promise<string>) | undefined;
  /** Replaces the text of a file. Rejects with `environment.*`. */
  readonly writeText: ((path: string, content: string) => Promise<void>) | undefined;
}

/** Connection to the editor for one session. */
export interface EditorConnection {
  readonly client: Pick<AgentContext, "request">;
  readonly sessionId: string;
  /** File system capabilities that the editor declared at `initialize`. */
  readonly capabilities: FileSystemCapabilities | null | undefined;
  /** Signal that aborts pending requests to the editor. */
  readonly signal: AbortSignal;
}

/** Creates access to the editor's files, limited to the capabilities that the editor declared. */
export function createEditorFiles({ client, sessionId, capabilities, signal }: EditorConnection): EditorFiles {
  const options = { cancellationSignal: signal };
  return {
    readText:
      capabilities?.readTextFile === true
        ? async (path) => {
            const params = { sessionId, path };
            const { content } = await orFailure(path, "Reading in the editor", () =>
              client.request(methods.client.fs.readTextFile, params, options),
            );
            return content;
          }
        : undefined,
    writeText:
      capabilities?.writeTextFile === true
        ? async (path, content) => {
            const params = { sessionId, path, content };
            await orFailure(path, "Writing in the editor", () =>
              client.request(methods.client.fs.writeTextFile, params, options),
            );
          }
        : undefined,
  };
}

/** Converts an error response of the editor to an `EngineError`, which fails the tool call. */
async function orFailure<T>(path: string, operation: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (cause) {
    if (cause instanceof RequestError && cause.code === RESOURCE_NOT_FOUND) {
      throw new EngineError("environment.file_not_found", { path }, { cause });
    }
    throw new EngineError("environment.io_failed", { operation, path, problem: messageOf(cause) }, { cause });
  }
}
