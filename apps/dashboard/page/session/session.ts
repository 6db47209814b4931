import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Connection, connect } from "./connection.ts";

/** What every view needs. */
export interface Session {
  readonly connection: Connection;
  /** Shows the form for a token again, with why. */
  readonly onUnauthorized: (why: string) => void;
}

/** The session of the page. */
export const SessionContext = createContext<Session>({ connection: connect(""), onUnauthorized: () => undefined });

/** The session of the page. */
export function useSession(): Session {
  return useContext(SessionContext);
}
