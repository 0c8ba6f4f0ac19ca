const NAME = "groundrule.keep";

/** True if the user wants plots to be kept on this device. */
export function isKeepingWanted(): boolean {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    // The browser refuses storage.
    return false;
  }
}

/** Fails: `DOMException` where the browser refuses storage. */
export function setKeepingWanted(isWanted: boolean): void {
  if (isWanted) localStorage.setItem(NAME, "1");
  else localStorage.removeItem(NAME);
}
