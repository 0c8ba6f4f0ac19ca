import { fileURLToPath } from "node:url";

/** Where the files of the web page are: beside this app in the repository, and at the same place in the program. */
export const CONSOLE_FOLDER: string = fileURLToPath(new URL("../../console/dist/", import.meta.url));
