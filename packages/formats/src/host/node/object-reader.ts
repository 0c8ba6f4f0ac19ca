import { readFoundObject } from "../../json/read-found-object.ts";

/** {@link readFoundObject}. */
export const objectReader: () => typeof readFoundObject = () => readFoundObject;
