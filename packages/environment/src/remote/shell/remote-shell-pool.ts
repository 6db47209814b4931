import type { RemoteShell, RemoteShellRequest, RemoteShellResponse } from "./remote-shell.ts";

/**
 * Maximum number of remote shells that handle file requests. Each shell handles one request at a time. With several
 * shells, a slow request does not block all others.
 */
const MAX_SHELLS = 4;

/** A pool of remote shells that handle file requests. */
export interface RemoteShellPool extends AsyncDisposable {
  /**
   * Sends a request to the remote shell with the fewest pending requests. Starts another shell if all are busy and the
   * maximum is not reached.
   */
  request(request: RemoteShellRequest): Promise<RemoteShellResponse>;
}

/** Creates a pool of remote shells. A shell is started when it is needed, and restarted if it has exited. */
export function createRemoteShellPool(open: () => Promise<RemoteShell>): RemoteShellPool {
  let shells: RemoteShell[] = [];
  const opening = new Set<Promise<RemoteShell>>();
  let waiting = 0;
  const openOne = async (): Promise<RemoteShell> => {
    const pending = open();
    opening.add(pending);
    try {
      const shell = await pending;
      shells.push(shell);
      return shell;
    } finally {
      opening.delete(pending);
    }
  };
  const pick = (): Promise<RemoteShell> => {
    shells = shells.filter((shell) => shell.open);
    const [best] = [...shells].sort((one, other) => one.pending - other.pending);
    if (best !== undefined && best.pending === 0) return Promise.resolve(best);
    if (shells.length + opening.size < MAX_SHELLS && waiting >= opening.size) return openOne();
    return best === undefined ? Promise.race(opening) : Promise.resolve(best);
  };
  return {
    async request(request) {
      waiting += 1;
      const shell = await pick().finally(() => {
        waiting -= 1;
      });
      return shell.request(request);
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(opening);
      await Promise.all(shells.map((shell) => shell[Symbol.asyncDispose]()));
    },
  };
}
