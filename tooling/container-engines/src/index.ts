// Container engines for tests.
export { fillWithBusybox } from "./busybox-root.ts";
export type { ProgramResult } from "./run-program.ts";
export { mustRun, runProgram } from "./run-program.ts";
export { startDocker } from "./start-docker.ts";
export { startPodman } from "./start-podman.ts";
export type { Missing, TestEngine } from "./test-engine.ts";
export { BUSYBOX_IMAGE, hasProgram, SHELL_LESS_IMAGE } from "./test-engine.ts";
