import { proveEnvironment } from "./environment-row.ts";
import { sshRow } from "./ssh-row.ts";

proveEnvironment(sshRow);
