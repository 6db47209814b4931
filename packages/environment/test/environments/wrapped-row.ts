import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { openOverlay, withFaults, withLogging, withReadBeforeWrite } from "@switchyard/environment/wrappers";
import type { EnvironmentFactory, EnvironmentSubject } from "@switchyard/testkit";
import { type CaseSample, CHANGES_SAMPLE, HANDED_ON_SAMPLE, OVERLAY_SAMPLE } from "./case-sample.ts";
import type { EnvironmentRow } from "./environment-row.ts";
import { makeLocalFolders } from "./local-folders.ts";

/** The wrapper around a local environment, and the further properties of the subject. */
type Wrap = (
  inner: ExecutionEnvironment,
  subject: Omit<EnvironmentSubject, "environment">,
) => EnvironmentSubject | Promise<EnvironmentSubject>;

function wrappedFactory(wrap: Wrap): EnvironmentFactory {
  return async ({ variables }) => {
    const { folder, root, subject } = await makeLocalFolders();
    const env = { PATH: process.env["PATH"], HOME: folder, ...variables };
    return wrap(await openLocalEnvironment({ root, env }), subject);
  };
}

function wrappedRow(name: string, wrap: Wrap, sample: CaseSample): EnvironmentRow {
  const factory = wrappedFactory(wrap);
  return { name, component: "this machine", isReal: true, sample, start: async () => ({ factory }) };
}

/** With a log that fails, and a plan without faults. */
export const loggingRow: EnvironmentRow = wrappedRow(
  "local with logging",
  (inner, around) => {
    const logged = withLogging(inner, () => {
      throw new Error("the log is full");
    });
    return { ...around, environment: withFaults(logged, { rules: [] }) };
  },
  HANDED_ON_SAMPLE,
);

/** The environment used as intended: each file is read immediately before it is overwritten, replaced or removed. */
export const readBeforeWriteRow: EnvironmentRow = wrappedRow(
  "local with read-before-write",
  (inner, around) => {
    const guarded = withReadBeforeWrite(inner);
    const readFirst = async (path: string): Promise<void> => {
      try {
        const below = await guarded.listDirectory(path, 99).catch(() => undefined);
        const files = below?.flatMap(({ name, kind }) => (kind === "file" ? [`${path}/${name}`] : []));
        for (const file of files ?? [path]) await guarded.readBytes(file, { length: 1 });
      } catch {
        // The change contains the error.
      }
    };
    const environment: ExecutionEnvironment = {
      ...guarded,
      writeFile: async (path, content) => {
        await readFirst(path);
        await guarded.writeFile(path, content);
      },
      rename: async (from, to) => {
        await readFirst(to);
        await guarded.rename(from, to);
      },
      remove: async (path) => {
        await readFirst(path);
        await guarded.remove(path);
      },
    };
    return { ...around, writer: inner, environment };
  },
  CHANGES_SAMPLE,
);

/**
 * The overlay is applied before scripts and commands, so that everything they see went through the layer. Searches
 * always have a difference to the base, because without one the base would respond.
 */
export const overlayRow: EnvironmentRow = wrappedRow(
  "overlay on local",
  async (inner, around) => {
    const overlay = openOverlay(inner, { commands: "base" });
    const { host } = around;
    const view = overlay.environment;
    let isClosed = false;
    const differ = async (): Promise<void> => {
      if (isClosed) return;
      await inner.writeFile(".removed", "");
      await view.remove(".removed");
    };
    const running = { commands: 0, scripts: 0 };
    const applied = async <T>(kind: keyof typeof running, work: () => Promise<T>): Promise<T> => {
      running[kind] += 1;
      try {
        if (!isClosed) await overlay.apply({ force: true });
        return await work();
      } finally {
        running[kind] -= 1;
      }
    };
    await differ();
    return {
      ...around,
      // The script handles later input.
      writer: {
        ...view,
        writeFile: (path, content) => (running.scripts > 0 ? inner : view).writeFile(path, content),
      },
      environment: {
        ...view,
        exec: (argv, options) => applied("commands", () => view.exec(argv, options)),
        shell: (command, options) => applied("commands", () => view.shell(command, options)),
        spawn: (argv, options) => applied("commands", () => view.spawn(argv, options)),
        writeFile: async (path, content) => {
          await view.writeFile(path, content);
          // For the command that waits for it.
          if (running.commands > 0) await overlay.apply({ force: true });
        },
        [Symbol.asyncDispose]: () => {
          isClosed = true;
          return view[Symbol.asyncDispose]();
        },
      },
      host: async (script) => {
        const output = await applied("scripts", async () => host?.(script));
        await differ();
        return output ?? "";
      },
      lacks: { unprivileged: "an overlay checks file modes only when its changes are applied" },
    };
  },
  OVERLAY_SAMPLE,
);
