import { podmanRow } from "./docker-row.ts";
import { proveEnvironment } from "./environment-row.ts";

proveEnvironment(podmanRow);
