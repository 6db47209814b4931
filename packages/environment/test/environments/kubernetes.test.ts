import { proveEnvironment } from "./environment-row.ts";
import { kubernetesRow } from "./kubernetes-row.ts";

proveEnvironment(kubernetesRow);
