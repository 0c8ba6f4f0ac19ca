export { buildTestPrograms as setup } from "./build.ts";
