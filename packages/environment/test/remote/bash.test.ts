import { SHELL_SAMPLE } from "../environments/case-sample.ts";
import { proveEnvironment } from "../environments/environment-row.ts";
import { shellRow } from "./shell-row.ts";

proveEnvironment(shellRow("bash as sh", ["bash", "--posix"], { ripgrep: false, sample: SHELL_SAMPLE }));
