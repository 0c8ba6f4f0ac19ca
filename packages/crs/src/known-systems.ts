export { formatDefinition } from "./format-definition.ts";
export {
  FRAMES,
  type Frame,
  type Method,
  type Parameter,
  type Parameters,
  SHIFTS,
  type Shift,
  SYSTEMS,
  type System,
} from "./systems.ts";
