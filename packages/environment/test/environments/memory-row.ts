import { createMemoryEnvironment } from "@switchyard/environment/memory";
import type { EnvironmentRow } from "./environment-row.ts";

const NO_SYSTEM = "the shell is emulated: there are no processes of an operating system";

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
          times: "touch of the emulated shell knows no -t",
          spawn: "the input of a command is taken whole, when it is closed",
          host: "nothing but the environment reaches its memory",
          processes: NO_SYSTEM,
          sessions: NO_SYSTEM,
          pipes: "there are files, folders and links only",
          sockets: "there are files, folders and links only",
          devices: "there are files, folders and links only",
          permissions: "modes are kept, but nothing is refused because of them",
          unprivileged: "modes are kept, but nothing is refused because of them",
        },
      };
    },
  }),
};
