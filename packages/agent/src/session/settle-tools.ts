import { warnOnce } from "../loop/warn-once.ts";
import { rejectOnAbort } from "./reject-on-abort.ts";
import type { SessionCore } from "./session-core.ts";

/** Maximum time that a request waits for tools that the tool source has announced, in milliseconds. */
const MAX_WAIT_MS = 5_000;

/**
 * Resolves when the session has the tools that the tool source announced last, so that the next request offers these
 * tools. If the source takes too long, a warning is emitted and the request uses the known tools. Rejects if the
 * session is aborted.
 */
export async function settleTools(core: SessionCore): Promise<void> {
  const settled = core.toolSource?.settled?.();
  if (settled === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS, "late");
  });
  try {
    if ((await rejectOnAbort(Promise.race([settled, late]), core.signal)) !== "late") return;
  } finally {
    clearTimeout(timer);
  }
  const message = `The list of tools was not read within ${MAX_WAIT_MS} ms after a server announced other tools. The model is called with the tools that are known.`;
  warnOnce(core, { message, kind: "tools_late" });
}
