import { fileURLToPath } from "node:url";

/** Where the guides are: in the repository, and at the same place in the program. */
export const GUIDES_FOLDER: string = fileURLToPath(new URL("../../../docs/guides/", import.meta.url));

/** Where the files of the web page are: beside this app in the repository, and at the same place in the program. */
export const CONSOLE_FOLDER: string = fileURLToPath(new URL("../../console/dist/", import.meta.url));
