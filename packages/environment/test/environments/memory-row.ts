import { createMemoryEnvironment } from "@switchyard/environment/memory";
import type { EnvironmentRow } from "./environment-row.ts";

const NO_SYSTEM = "the shell is emulated, so there are no operating system processes";

/** Files in memory, and a shell that is emulated. */
export const memoryRow: EnvironmentRow = {
  name: "memory",
  component: "just-bash (emulated)",
  isReal: true,
  start: async () => ({
    factory: async ({ variables }) => {
      const environment = createMemoryEnvironment({ env: variables });
      await environment.shell("mkdir /outside && echo SECRET > /outside/secret.txt");
      return {
        environment,
        outside: "/outside",
        countProcesses: () => 0,
        lacks: {
          times: "the command touch of the emulated shell has no option -t",
          spawn: "a command receives its input only when stdin is closed",
          host: "only the environment itself can access its files",
          processes: NO_SYSTEM,
          sessions: NO_SYSTEM,
          pipes: "the environment supports only files, folders and links",
          sockets: "the environment supports only files, folders and links",
          devices: "the environment supports only files, folders and links",
          permissions: "file modes are stored but not enforced",
          unprivileged: "file modes are stored but not enforced",
        },
      };
    },
  }),
};
