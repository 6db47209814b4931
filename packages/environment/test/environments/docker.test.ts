import { dockerRow } from "./docker-row.ts";
import { proveEnvironment } from "./environment-row.ts";

proveEnvironment(dockerRow);
