import { describe } from "vitest";
import { boardContract, plainBoard } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { wrongBoards } from "./wrong/wrong-boards.ts";

describe("the board contract detects each faulty implementation", () => {
  proveContract(boardContract, { right: [plainBoard], wrong: wrongBoards });
});
