import { boardContract, plainBoard } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { wrongBoards } from "./wrong/wrong-boards.ts";

proveContract(boardContract, { right: [plainBoard], wrong: wrongBoards });
