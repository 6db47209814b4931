import type { Envelope, Host } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { NODE_FILES, openFileStore, type StoreFiles } from "@switchyard/stores/file";
import { expectInapplicable, type HostSubject, hostContract } from "@switchyard/testkit";
import { describe, test } from "vitest";
import { type StartSessionOptions, startSession } from "../src/index.ts";
import { collect, deferred, task, temporaryWorkspace } from "./temporary-session.ts";

/** Time limit of a case, in milliseconds. Generous, because other work may occupy all processors. */
const CASE_MS = 60_000;

const RUN_ID = "contract-run";

/** Returns store files on a disk that can be filled, after which all writes fail. */
function fillableDisk(): { files: StoreFiles; fill: () => void } {
  let isFull = false;
  const files: StoreFiles = {
    ...NODE_FILES,
    open: async (path, mode) => {
      const file = await NODE_FILES.open(path, mode);
      return {
        ...file,
        write: async (bytes) => {
          if (isFull) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
          await file.write(bytes);
        },
      };
    },
  };
  return {
    files,
    fill: () => {
      isFull = true;
    },
  };
}

/** Returns the host that an engine receives in a session on disk, which is kept running. */
async function sessionHost(more: Partial<StartSessionOptions> = {}): Promise<HostSubject> {
  const workspace = temporaryWorkspace();
  const { files, fill } = fillableDisk();
  const store = openFileStore({ directory: workspace.stateDirectory, files });
  const [handedOut, over] = [deferred<Host>(), deferred()];
  const listeners: ((envelope: Envelope) => void)[] = [];
  const engine = defineEngine(
    async (_run, host) => {
      handedOut.resolve(host);
      await over.promise;
    },
    { emitsCheckpoint: true },
  );
  const observer = {
    publish: async (envelope: Envelope): Promise<void> => {
      if (envelope.type === "warning") for (const listener of listeners) listener(envelope);
    },
  };
  const handle = await startSession(task(), {
    ...workspace.options({ engine, observer, store }),
    runId: RUN_ID,
    ...more,
  });
  return {
    host: await handedOut.promise,
    interrupt: (interrupt) => handle.interrupt(interrupt),
    load: () => store.load(RUN_ID),
    fillDisk: fill,
    observe: (listener) => void listeners.push(listener),
    stored: async () => collect(store.events(RUN_ID)),
    dispose: async () => {
      over.resolve();
      await handle.result;
      await store.close();
      workspace[Symbol.dispose]();
    },
  };
}

// The session host reports the sum of usage only in the report.
const WITHOUT_USER = ["host/user-answers", "host/usage-adds-up", "host/budget"];
const WITH_USER = ["host/no-user", "host/usage-taken", "host/usage-adds-up"];

describe("the host of a session fulfils the contract", () => {
  for (const one of expectInapplicable(hostContract, WITHOUT_USER))
    test(one.title, ({ skip }) => one.run(() => sessionHost(), { onSkip: skip, timeoutMs: CASE_MS }));
});

describe("the host of a session with a budget and a user fulfils the contract", () => {
  const budgeted = async (): Promise<HostSubject> => {
    const userPrompter = {
      askUser: async (_prompt: unknown, { signal }: { signal?: AbortSignal } = {}) => {
        signal?.throwIfAborted();
        return { parts: [{ type: "text", text: "yes" } as const] };
      },
    };
    const subject = await sessionHost({ budget: { totalTokens: 1_000 }, userPrompter });
    return { ...subject, hasUser: true, budgetTokens: 1_000 };
  };
  for (const one of expectInapplicable(hostContract, WITH_USER))
    test(one.title, ({ skip }) => one.run(budgeted, { onSkip: skip, timeoutMs: CASE_MS }));
});
