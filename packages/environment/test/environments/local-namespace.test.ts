import { proveEnvironment } from "./environment-row.ts";
import { localNamespaceRow } from "./sandbox-row.ts";

proveEnvironment(localNamespaceRow);
