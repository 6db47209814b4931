// Exports for users: run an interactive session.
export type {
  ChatHost,
  ChatMode,
  ChatOptions,
  ChatSettings,
  ChatTerminal,
  ChatTurn,
  EarlierConversation,
  TurnDisplay,
} from "./session/chat-host.ts";
export { runChat } from "./session/run-chat.ts";
export { toEarlierConversation } from "./session/to-earlier-conversation.ts";
