import { proveEnvironment } from "../environments/environment-row.ts";
import { shellRow } from "./shell-row.ts";

proveEnvironment(shellRow("dash", ["dash"], { ripgrep: true }));
