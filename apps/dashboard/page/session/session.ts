import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Connection, connect } from "./connection.ts";

/** Data that every view needs. */
export interface Session {
  readonly connection: Connection;
  /** Shows the token form, because the server refused a request without a valid token. */
  readonly onUnauthorized: () => void;
}

/** Session of the page. */
export const SessionContext = createContext<Session>({ connection: connect(""), onUnauthorized: () => undefined });

/** Session of the page. */
export function useSession(): Session {
  return useContext(SessionContext);
}
