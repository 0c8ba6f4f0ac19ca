export { crsTable } from "./crs-table.ts";
