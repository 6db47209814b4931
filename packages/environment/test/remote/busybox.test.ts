import { PROGRAMS_SAMPLE } from "../environments/case-sample.ts";
import { proveEnvironment } from "../environments/environment-row.ts";
import { shellRow } from "./shell-row.ts";

proveEnvironment(shellRow("busybox", ["busybox", "sh"], { ripgrep: false, sample: PROGRAMS_SAMPLE }));
