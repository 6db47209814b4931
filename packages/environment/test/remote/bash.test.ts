import { proveEnvironment } from "../environments/environment-row.ts";
import { shellRow } from "./shell-row.ts";

proveEnvironment(shellRow("bash as sh", ["bash", "--posix"], false));
