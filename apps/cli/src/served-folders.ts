import { fileURLToPath } from "node:url";

/** The folder of the guides: in the repository, and at the same place in the program. */
export const GUIDES_FOLDER: string = fileURLToPath(new URL("../../../docs/guides/", import.meta.url));

/** The folder of the web page: next to this app in the repository, and at the same place in the program. */
export const CONSOLE_FOLDER: string = fileURLToPath(new URL("../../console/dist/", import.meta.url));
