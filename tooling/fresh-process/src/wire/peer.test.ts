import { deserialize, serialize } from "node:v8";
import { EngineError } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { Peer } from "./peer.ts";

/** Two peers that share nothing except byte streams. The first one can wait for responses. */
function connect(root: object): { asking: Peer; answering: Peer } {
  const copy = <T>(value: T): T => deserialize(serialize(value));
  const asking: Peer = new Peer({
    tell: (message) => answering.take(copy(message)),
    ask: (question) => copy(answering.answer(copy(question))),
  });
  const answering: Peer = new Peer({ tell: (message) => asking.take(copy(message)) }, root);
  return { asking, answering };
}

/** What the asking side receives for a value of the other side. */
function sent(value: unknown): unknown {
  return connect({ give: () => value }).asking.callRoot("give");
}

/** Result of sending a value to the other side and back. */
function returned(value: unknown): unknown {
  return connect({ give: (given: unknown) => given }).asking.callRoot("give", value);
}

describe("data", () => {
  const data = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withTypedArray: true,
    withObjectString: false,
    withSparseArray: false,
  });

  test("plain data of every kind is copied", () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(sent(value)).toEqual(value);
        expect(returned(value)).toEqual(value);
      }),
    );
  });

  test("fields with the value undefined and names such as `__proto__` are copied", () => {
    const value = JSON.parse('{ "__proto__": { "a": 1 }, "is": "list", "items": [] }');
    expect(sent({ a: undefined, value })).toStrictEqual({ a: undefined, value });
  });
});

class Counter {
  #count = 0;
  readonly step: number;
  constructor(step: number) {
    this.step = step;
  }
  get count(): number {
    return this.#count;
  }
  add(): this {
    this.#count += this.step;
    return this;
  }
}

interface Counting {
  readonly count: number;
  readonly step: number;
  add(): Counting;
}

function isCounting(value: unknown): value is Counting {
  return typeof value === "object" && value !== null && "add" in value && typeof value.add === "function";
}

describe("objects that are passed by reference", () => {
  test("stay in their process, with the methods and fields of the original", () => {
    const counter = new Counter(2);
    const { asking } = connect({ give: () => counter, isMine: (value: unknown) => value === counter });
    const far = asking.callRoot("give");
    if (!isCounting(far)) throw new TypeError("It cannot count.");
    expect(far.add().add()).toBe(far);
    expect([far.count, far.step, counter.count]).toEqual([4, 2, 4]);
    const { add } = far;
    add();
    expect(far.count).toBe(6);
    expect(asking.callRoot("isMine", far)).toBe(true);
    expect(Object.keys(far)).toEqual(["step"]);
  });

  test("come back as the same object, functions too", () => {
    const own = new Counter(1);
    const call = (): void => {};
    expect(returned(own)).toBe(own);
    expect(returned([call])).toEqual([call]);
    expect(returned(own.add)).toBe(own.add);
  });

  test("may contain themselves", () => {
    const ring: { next?: unknown; turn(): string } = { turn: () => "round" };
    ring.next = ring;
    const far = sent(ring);
    expect(Reflect.get(Object(far), "next")).toBe(far);
  });

  test("are one object, however often they are sent", () => {
    const shared = new Counter(1);
    const { asking } = connect({ give: () => shared });
    expect(asking.callRoot("give")).toBe(asking.callRoot("give"));
  });
});

describe("calls", () => {
  test("that block have completed everything when they return, including callbacks in this process", () => {
    const order: string[] = [];
    const { asking } = connect({
      speak: (listener: () => void) => {
        order.push("begins");
        listener();
        order.push("ends");
      },
    });
    asking.callRoot("speak", () => order.push("heard"));
    expect(order).toEqual(["begins", "heard", "ends"]);
  });

  test("from a process that does not block return promises", async () => {
    const { asking } = connect({ take: (callback: () => unknown) => callback() });
    expect(await asking.callRoot("take", () => 7)).toBe(7);
    const failing = (): never => {
      throw new TypeError("no");
    };
    await expect(asking.callRoot("take", failing)).rejects.toThrow(new TypeError("no"));
  });

  test("throw the thrown error, and promises reject with it", async () => {
    const error = new EngineError("llm.server_error", { provider: "p", status: 500 }, { cause: new TypeError("why") });
    const { asking } = connect({
      fail: () => {
        throw error;
      },
      failLater: () => Promise.reject(error),
    });
    expect(() => asking.callRoot("fail")).toThrow(error.message);
    await expect(asking.callRoot("failLater")).rejects.toMatchObject({ code: error.code, details: error.details });
    await expect(asking.callRoot("failLater")).rejects.toSatisfy(EngineError.is);
    await expect(asking.callRoot("failLater")).rejects.toMatchObject({ cause: new TypeError("why") });
  });

  test("to an object that was never sent are errors", () => {
    expect(() => connect({}).asking.callRoot("missing")).toThrow("missing is not a function of the other side");
  });
});

describe("errors", () => {
  test.for([
    ["a plain one", new Error("plain")],
    ["one of a class", new RangeError("range")],
    ["the system's", Object.assign(new Error("ENOENT: gone"), { code: "ENOENT", errno: -2, path: "/x" })],
    ["a joined one", new AggregateError([new Error("one"), new TypeError("two")], "both")],
    ["an aborted one", new DOMException("stop", "AbortError")],
    ["one with a name", Object.assign(new Error("own"), { name: "OwnError" })],
    ["a code that is none", Object.assign(new Error("x"), { name: "EngineError", code: "no.such", details: {} })],
  ] as const)("say what they said: %s", ([, error]) => {
    const far = sent(error);
    expect(far).toBeInstanceOf(error.constructor);
    expect(far).toEqual(error);
    expect(far).toMatchObject({ name: error.name, message: error.message, stack: error.stack });
  });

  test("come back as the same error", () => {
    const error = new Error("mine");
    expect(returned(error)).toBe(error);
  });
});

describe("streams and signals", () => {
  function isIterable(value: unknown): value is AsyncIterable<unknown> {
    return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
  }

  test("items of an iterable are requested one by one, and the iterable is closed when the reader stops", async () => {
    const seen: string[] = [];
    async function* items(): AsyncGenerator<number> {
      try {
        for (let item = 1; ; item += 1) {
          seen.push(`asked for ${item}`);
          yield item;
        }
      } finally {
        seen.push("over");
      }
    }
    const far = sent(items());
    if (!isIterable(far)) throw new TypeError("No stream.");
    const taken: unknown[] = [];
    for await (const item of far) {
      taken.push(item);
      if (taken.length === 2) break;
    }
    expect([taken, seen]).toEqual([
      [1, 2],
      ["asked for 1", "asked for 2", "over"],
    ]);
  });

  test("a signal is aborted in the other process immediately, with its reason, in both directions", () => {
    const controller = new AbortController();
    const reason = new EngineError("run.cancelled");
    const heard: unknown[] = [];
    const { asking } = connect({
      signal: controller.signal,
      give: () => controller.signal,
      fire: () => controller.abort(reason),
      take: (signal: AbortSignal) => signal.addEventListener("abort", () => heard.push(signal.reason)),
    });
    const far = asking.callRoot("give");
    if (!(far instanceof AbortSignal)) throw new TypeError("No signal.");
    expect(asking.callRoot("give")).toBe(far);
    asking.callRoot("fire");
    expect([far.aborted, EngineError.is(far.reason, "run.cancelled")]).toEqual([true, true]);
    const own = new AbortController();
    asking.callRoot("take", own.signal);
    own.abort("enough");
    expect(heard).toEqual(["enough"]);
  });

  test("no listener remains on a signal when the other process has ended", () => {
    const { signal } = new AbortController();
    const { asking, answering } = connect({ give: () => signal });
    asking.callRoot("give");
    const remove = vi.spyOn(signal, "removeEventListener");
    answering.close();
    expect(remove).toHaveBeenCalledOnce();
  });
});
