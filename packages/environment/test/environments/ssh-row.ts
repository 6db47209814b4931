import { openSshEnvironment } from "@switchyard/environment/ssh";
import { startTestSshd } from "../ssh/test-sshd.ts";
import { REACHED_SAMPLE } from "./case-sample.ts";
import type { EnvironmentRow } from "./environment-row.ts";
import { makeLocalFolders } from "./local-folders.ts";

/** This machine through a separate OpenSSH server, on a loopback port. */
export const sshRow: EnvironmentRow = {
  name: "ssh",
  component: "OpenSSH server on loopback (real)",
  isReal: true,
  sample: REACHED_SAMPLE,
  async start() {
    const sshd = await startTestSshd();
    if (typeof sshd === "string") return sshd;
    return {
      stop: () => sshd.stop(),
      factory: async () => {
        const { root, subject } = await makeLocalFolders();
        const environment = await openSshEnvironment({
          host: "testhost",
          configFile: sshd.configFile,
          workingDirectory: root,
          hostEnv: { PATH: process.env["PATH"], HOME: sshd.folder },
        });
        const lacks = {
          ...subject.lacks,
          variables: "over SSH, commands get the environment variables of the login on the other machine",
        };
        return { environment, ...subject, lacks };
      },
    };
  },
};
