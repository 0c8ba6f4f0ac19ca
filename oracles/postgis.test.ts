import { askOracles } from "./ask-oracles.ts";

askOracles(0.1);
