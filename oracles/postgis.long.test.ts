import { declareOracleTests } from "./query-oracles.ts";

// `npm run tool -- oracle` asks more than a hundred times as much.
declareOracleTests(process.env.GROUNDRULE_FULL === undefined ? 0.15 : 50);
