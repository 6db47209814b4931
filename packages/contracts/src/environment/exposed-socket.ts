/**
 * A Unix socket on this machine that processes of an environment reach through a loopback port of the environment.
 * Disposing the object ends the access and removes the socket.
 */
export interface ExposedSocket extends AsyncDisposable {
  /**
   * Absolute path on this machine at which the server listens. The server creates the socket, and must let every user
   * connect (mode 0o666). This is safe, because only this user and processes of the environment can access the folder
   * of the socket.
   */
  readonly socketPath: string;
  /** Address without a path, such as `http://127.0.0.1:3129`, at which processes of the environment reach the server. */
  readonly url: string;
}
