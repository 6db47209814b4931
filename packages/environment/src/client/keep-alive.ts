/**
 * Script of the first process in a new container. The script waits, reaps orphaned processes, and exits immediately on
 * SIGTERM. Replaces the option `--init` of Docker and Podman, because some Podman packages lack the program that
 * `--init` needs.
 */
export const KEEP_ALIVE = `trap 'exit 0' TERM INT; while :; do sleep 86400 & wait "$!"; done`;

/** Default workspace path in a new container. */
export const DEFAULT_WORKING_DIRECTORY = "/workspace";

/** Problem reported when the container has no shell. */
export const NO_SHELL = "it has no `sh`; use an image with a POSIX shell, busybox for instance.";
