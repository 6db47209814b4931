import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker, startWorker, type Worker } from "./worker.mjs";

/** Server of a durable engine that a test can kill. */
export interface DurableServer {
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  /** Starts the server again with the stored data. */
  start(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** Options of `openDurableScene`. */
export interface DurableSceneOptions<S extends DurableServer> {
  /** Folder of the package under test. */
  readonly folder: string;
  /** Packages that the bundle of the worker does not contain. */
  readonly external: readonly (string | RegExp)[];
  /** Starts the server. */
  readonly start: () => Promise<S>;
  /** Returns the settings of a worker, besides those of the runs. */
  readonly settingsOf: (server: S) => Readonly<Record<string, unknown>>;
}

/** A real server, a bundled worker program, and a folder for the runs. */
export interface DurableScene<S extends DurableServer> extends AsyncDisposable {
  readonly server: S;
  /** File to which the runs append their effects. */
  readonly effects: string;
  /** Starts a worker. It kills itself at the moment with the number `dieAt`, counted from 1; 0 means never. */
  open(options?: { readonly dieAt?: number; readonly onMoment?: (moment: string) => void }): Promise<Worker>;
}

/** Starts a server, and bundles the worker `test/worker.ts` of the package. */
export async function openDurableScene<S extends DurableServer>(
  options: DurableSceneOptions<S>,
): Promise<DurableScene<S>> {
  const { folder, external, start, settingsOf } = options;
  const runs = await mkdtemp(join(tmpdir(), "durable-runs-"));
  const effects = join(runs, "effects");
  const [server, program] = await Promise.all([
    start(),
    bundleWorker(join(folder, "test/worker.ts"), { external, folder }),
  ]);
  return {
    server,
    effects,
    open: ({ dieAt = 0, onMoment } = {}) => {
      const settings = { ...settingsOf(server), effects, folder: runs, dieAt };
      return startWorker(program.path, onMoment === undefined ? { settings } : { settings, onMoment });
    },
    async [Symbol.asyncDispose]() {
      program.remove();
      await server.stop();
      await rm(runs, { recursive: true, force: true });
    },
  };
}
