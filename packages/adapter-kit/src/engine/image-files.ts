import { type Board, ENGINE_FILES, type ExecutionEnvironment, type SessionInput } from "@switchyard/contracts";

/** Files with the images of a session, for agents that read images from files. */
export interface ImageFiles extends AsyncDisposable {
  /** Absolute paths of the files in the execution environment. */
  readonly paths: readonly string[];
}

/**
 * Writes the images of the last user message into the workspace, where any agent can read them. Disposal removes the
 * files, so that they do not count as changes of the run. Rejects with `environment.*`.
 */
export async function writeImages(
  { messages }: Pick<SessionInput, "messages">,
  environment: ExecutionEnvironment,
  { board, runId }: { readonly board: Board; readonly runId: string },
): Promise<ImageFiles> {
  const { images = [] } = messages.findLast(({ role }) => role === "user") ?? {};
  const paths: string[] = [];
  const remove = async (): Promise<void> => {
    for (const path of paths) await environment.remove(path).catch(() => undefined);
  };
  try {
    for (const [index, { media_type: type, data }] of images.entries()) {
      const name = `.switchyard-image-${runId}-${index + 1}.${type.slice("image/".length)}`;
      const path = `${environment.workingDirectory}/${name}`;
      paths.push(path);
      await environment.writeFile(path, Buffer.from(data, "base64"));
    }
  } catch (error) {
    await remove();
    throw error;
  }
  if (paths.length > 0) board.set(ENGINE_FILES, [...(board.get(ENGINE_FILES) ?? []), ...paths]);
  return { paths, [Symbol.asyncDispose]: remove };
}
