import { askOracles } from "./ask-oracles.ts";

// `npm run oracle` asks fifty times as much.
askOracles(process.env.GROUNDRULE_FULL === undefined ? 1 : 50);
