import type { Board, BoardSnapshot, Message } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { plainBoard } from "../../src/board/plain-board.ts";
import type { BoardFactory } from "../../src/index.ts";
import { altered, type Wrong } from "./wrong.ts";

/** A board that is correct except for some members. */
function but(changes: (right: Board) => Partial<Board>): BoardFactory {
  return (snapshot) => {
    const board = plainBoard(snapshot);
    return altered(board, changes(board));
  };
}

/** A board that wrongly stores some values. */
function storingOnly(isStored: (value: unknown) => boolean): BoardFactory {
  return but((board) => ({
    setVar: (name, value) => {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (!values.some(isStored)) board.setVar(name, value);
    },
  }));
}

/** A board that stores one list by reference. */
function sharingChannel(): BoardFactory {
  return but((board) => {
    const shared = new Map<string, readonly Message[]>();
    return {
      appendChannelMessage: (name, message) => {
        shared.set(name, [...(shared.get(name) ?? []), message]);
        board.appendChannelMessage(name, message);
      },
      setChannel: (name, messages) => {
        shared.set(name, messages);
      },
      channel: (name) => shared.get(name) ?? [],
      channels: () => ({ ...board.channels(), ...Object.fromEntries(shared) }),
    };
  });
}

/** A board that stores values by reference. */
function sharingVars(): BoardFactory {
  return (snapshot) => {
    const board = plainBoard(snapshot);
    const shared: Record<string, unknown> = Object.assign(Object.create(null), snapshot?.vars);
    return altered(board, {
      setVar: (name, value) => {
        board.setVar(name, value);
        shared[name] = value;
      },
      appendSliceVar: (name, value) => {
        board.appendSliceVar(name, value);
        const list = shared[name] ?? [];
        if (Array.isArray(list)) list.push(value);
        shared[name] = list;
      },
      getVar: (name) => shared[name],
      vars: () => shared,
    });
  };
}

/** A snapshot that reads its board again at each access. */
function live(board: Board): BoardSnapshot {
  return {
    get vars() {
      return board.vars();
    },
    get channels() {
      return board.channels();
    },
  };
}

function cloneWithoutCheck(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("clone" in value)) return value;
  return typeof value.clone === "function" ? JSON.parse(JSON.stringify(value.clone())) : value;
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function hasOwnCycle(value: unknown): boolean {
  return typeof value === "object" && value !== null && "self" in value;
}

const memory: Board = plainBoard();
const createdFrom = new WeakMap<BoardSnapshot, Board>();

/** Boards with one fault each. */
export const wrongBoards: readonly Wrong<BoardFactory>[] = [
  {
    fault: "the main channel is missing until something is said",
    noticedBy: ["board/main-channel", "board/restore-nothing", "board/restore-main-channel"],
    factory: but((board) => ({
      channels: () => Object.fromEntries(Object.entries(board.channels()).filter(([, list]) => list.length > 0)),
    })),
  },
  {
    fault: "a falsy value does not exist",
    noticedBy: ["board/variable-exists"],
    factory: but((board) => ({ hasVar: (name) => Boolean(board.getVar(name)) })),
  },
  {
    fault: "any value is read as a text",
    noticedBy: ["board/variable-as-text"],
    factory: but((board) => ({ getVarString: (name) => String(board.getVar(name) ?? "") })),
  },
  {
    fault: "typed keys have names of their own",
    noticedBy: ["board/typed-key"],
    factory: but((board) => ({ set: (key, value) => board.setVar(`typed:${key.name}`, value) })),
  },
  {
    fault: "deleting leaves null behind",
    noticedBy: ["board/delete-variable"],
    factory: but((board) => ({ deleteVar: (name) => board.setVar(name, null) })),
  },
  {
    fault: "reserved names are left out of snapshots",
    noticedBy: ["board/reserved-names"],
    factory: but((board) => ({
      snapshot: () => ({ vars: Object.fromEntries(Object.entries(board.vars()).filter(([n]) => !n.startsWith("__"))) }),
    })),
  },
  {
    fault: "names are looked up on a plain object",
    noticedBy: ["board/odd-names"],
    factory: but((board) => ({ hasVar: (name) => name in board.vars() })),
  },
  {
    fault: "values are copied by assignment",
    noticedBy: ["board/odd-fields"],
    factory: but((board) => ({
      setVar: (name, value) => {
        const copy: Record<string, unknown> = {};
        for (const [field, item] of Object.entries(value ?? {})) copy[field] = item;
        board.setVar(name, copy);
      },
    })),
  },
  {
    fault: "values are kept and handed out by reference",
    noticedBy: ["board/variables-map", "board/copy-in", "board/copy-out", "board/append-keeps-readers"],
    factory: sharingVars(),
  },
  {
    fault: "snapshots of others are kept by reference",
    noticedBy: ["board/foreign-snapshot-copied"],
    factory: sharingVars(),
  },
  {
    fault: "dates and bytes become texts",
    noticedBy: ["board/dates-and-bytes"],
    factory: but((board) => ({ setVar: (name, value) => board.setVar(name, JSON.parse(JSON.stringify(value))) })),
  },
  {
    fault: "clones are not asked for",
    noticedBy: ["board/cloneable"],
    factory: but((board) => ({ setVar: (name, value) => board.setVar(name, JSON.parse(JSON.stringify(value))) })),
  },
  {
    fault: "all boards are one",
    noticedBy: ["board/independent"],
    factory: () => memory,
  },
  {
    fault: "a missing list is not made",
    noticedBy: ["board/append-creates"],
    factory: but((board) => ({
      appendSliceVar: (name, value) => {
        if (board.hasVar(name)) board.appendSliceVar(name, value);
      },
    })),
  },
  {
    fault: "appending replaces what is no list",
    noticedBy: ["board/append-to-no-list"],
    factory: but((board) => ({
      appendSliceVar: (name, value) => {
        if (!Array.isArray(board.getVar(name))) board.deleteVar(name);
        board.appendSliceVar(name, value);
      },
    })),
  },
  {
    fault: "every item that matches is updated",
    noticedBy: ["board/update-first"],
    factory: but((board) => ({
      updateSliceVarItem: (name, matches, update) => {
        const list = board.getVar(name);
        if (Array.isArray(list))
          board.setVar(
            name,
            list.map((item: unknown) => (matches(item) ? update(item) : item)),
          );
      },
    })),
  },
  {
    fault: "an update without a match appends",
    noticedBy: ["board/update-nothing"],
    factory: but((board) => ({
      updateSliceVarItem: (name, _matches, update) => board.appendSliceVar(name, update(undefined)),
    })),
  },
  {
    fault: "an update takes the item out before it asks for the new one",
    noticedBy: ["board/update-fails-whole"],
    factory: but((board) => ({
      updateSliceVarItem: (name, matches, update) => {
        const list = board.getVar(name);
        if (!Array.isArray(list)) return;
        const index = list.findIndex((item: unknown) => matches(item));
        board.setVar(name, list.toSpliced(index, 1));
        board.appendSliceVar(name, update(list[index]));
      },
    })),
  },
  {
    fault: "functions and symbols are left out in silence",
    noticedBy: ["board/refuses-functions"],
    factory: storingOnly((value) => typeof value === "function" || typeof value === "symbol"),
  },
  {
    fault: "BigInts are left out in silence",
    noticedBy: ["board/refuses-bigints"],
    factory: storingOnly((value) => typeof value === "bigint"),
  },
  {
    fault: "undefined deletes the variable",
    noticedBy: ["board/refuses-undefined"],
    factory: but((board) => ({
      setVar: (name, value) => (value === undefined ? board.deleteVar(name) : board.setVar(name, value)),
    })),
  },
  {
    fault: "odd numbers become null",
    noticedBy: ["board/refuses-odd-numbers"],
    factory: storingOnly((value) => typeof value === "number" && !Number.isFinite(value)),
  },
  {
    fault: "instances of classes are taken for plain data",
    noticedBy: ["board/refuses-handles"],
    factory: but((board) => ({ setVar: (name, value) => board.setVar(name, JSON.parse(JSON.stringify(value))) })),
  },
  {
    fault: "cycles are cut in silence",
    noticedBy: ["board/refuses-cycles"],
    factory: storingOnly(hasOwnCycle),
  },
  {
    fault: "depth is not looked at",
    noticedBy: ["board/refuses-depth"],
    factory: storingOnly((value) => depthOf(value) > 60),
  },
  {
    fault: "a part that occurs twice is taken for a cycle",
    noticedBy: ["board/keeps-shared-parts"],
    factory: but((board) => ({
      setVar: (name, value) => {
        if (Array.isArray(value) && new Set(value).size < value.length) {
          throw new EngineError("board.invalid_value", { key: name, problem: "it contains itself" });
        }
        board.setVar(name, value);
      },
    })),
  },
  {
    fault: "what a clone gives is not checked",
    noticedBy: ["board/refuses-bad-clone"],
    factory: but((board) => ({ setVar: (name, value) => board.setVar(name, cloneWithoutCheck(value)) })),
  },
  {
    fault: "errors do not name the variable",
    noticedBy: ["board/refuses-functions"],
    factory: but((board) => ({
      setVar: (name, value) => {
        try {
          board.setVar(name, value);
        } catch {
          throw new EngineError("board.invalid_value", { key: "it", problem: "bad" });
        }
      },
    })),
  },
  {
    fault: "messages come in the reverse order",
    noticedBy: ["board/append-message"],
    factory: but((board) => ({
      appendChannelMessage: (name, message) => board.setChannel(name, [message, ...board.channel(name)]),
    })),
  },
  {
    fault: "messages are kept and handed out by reference",
    noticedBy: ["board/channel-copy-out", "board/message-copy-in", "board/set-channel", "board/channels-copy"],
    factory: sharingChannel(),
  },
  {
    fault: "reading makes a channel",
    noticedBy: ["board/empty-channel"],
    factory: but((board) => ({
      channel: (name) => {
        board.setChannel(name, board.channel(name));
        return board.channel(name);
      },
    })),
  },
  {
    fault: "a snapshot has no channels",
    noticedBy: ["board/snapshot-whole"],
    factory: but((board) => ({ snapshot: () => ({ vars: board.vars() }) })),
  },
  {
    fault: "a snapshot is taken when it is looked at",
    noticedBy: ["board/snapshot-stays", "board/restore-replaces", "board/restore-back-and-forth"],
    factory: but((board) => ({ snapshot: () => live(board) })),
  },
  {
    fault: "a snapshot hands out what the board holds",
    noticedBy: ["board/snapshot-tampered"],
    factory: (snapshot) => {
      const vars: Record<string, unknown> = snapshot?.vars ?? {};
      return altered(plainBoard(snapshot), {
        setVar: (name, value) => Object.assign(vars, { [name]: value }),
        snapshot: () => ({ vars }),
        vars: () => vars,
      });
    },
  },
  {
    fault: "a snapshot does not survive JSON",
    noticedBy: ["board/snapshot-json"],
    factory: but((board) => ({ snapshot: () => ({ vars: new Proxy(board.vars(), { ownKeys: () => [] }) }) })),
  },
  {
    fault: "restoring from nothing clears the board",
    noticedBy: ["board/restore-from-nothing"],
    factory: but((board) => ({ restoreFrom: (snapshot) => board.restoreFrom(snapshot ?? { vars: {} }) })),
  },
  {
    fault: "boards of one snapshot are one board",
    noticedBy: ["board/restored-apart"],
    factory: (snapshot) => {
      const known = snapshot === undefined ? undefined : createdFrom.get(snapshot);
      const board = known ?? plainBoard(snapshot);
      if (snapshot !== undefined) createdFrom.set(snapshot, board);
      return board;
    },
  },
  {
    fault: "restoring adds to what is there",
    noticedBy: ["board/restore-replaces", "board/restore-main-channel"],
    factory: but((board) => ({
      restoreFrom: (snapshot) => {
        for (const [name, value] of Object.entries(snapshot?.vars ?? {})) board.setVar(name, value);
      },
    })),
  },
  {
    fault: "restoring takes what it can of a broken snapshot",
    noticedBy: ["board/foreign-snapshot-checked"],
    factory: but((board) => ({
      restoreFrom: (snapshot) => {
        for (const [name, value] of Object.entries(snapshot?.vars ?? {})) board.setVar(name, value);
      },
    })),
  },
];
