/**
 * Script of the first process of a container made for a run: waits, collects the dead that others left, and ends at
 * once when it is told to. Not an engine's `--init`, which needs a program that Podman's packages do not always bring.
 */
export const KEEP_ALIVE = `trap 'exit 0' TERM INT; while :; do sleep 86400 & wait "$!"; done`;

/** Where the workspace of a container made for a run is by default. */
export const DEFAULT_WORKING_DIRECTORY = "/workspace";

/** What to say where a place has no shell. */
export const NO_SHELL = "it has no `sh`; use an image with a POSIX shell, busybox for instance.";
