import type { KeptEntry } from "./room.ts";

const NAME = "groundrule";
/** Entries without content, and contents: to list what is kept, no content is read. */
const [ENTRIES, CONTENTS] = ["entries", "contents"] as const;

/** The lists kept in the browser's database. Every method fails with a `DOMException` where the browser refuses. */
export class KeptStore {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // Another page may delete it.
    database.onversionchange = () => database.close();
  }

  static async open(): Promise<KeptStore> {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(ENTRIES, { keyPath: "key" });
      request.result.createObjectStore(CONTENTS);
    };
    return new KeptStore(await toPromise(request));
  }

  entries(): Promise<KeptEntry[]> {
    return toPromise(this.#database.transaction(ENTRIES).objectStore(ENTRIES).getAll());
  }

  content(key: string): Promise<ArrayBuffer | undefined> {
    return toPromise(this.#database.transaction(CONTENTS).objectStore(CONTENTS).get(key));
  }

  /** Puts a list, and removes others in the same step. */
  async put(entry: KeptEntry, content: ArrayBuffer, removed: readonly string[]): Promise<void> {
    await this.#change((entries, contents) => {
      for (const key of removed) {
        entries.delete(key);
        contents.delete(key);
      }
      entries.put(entry);
      contents.put(content, entry.key);
    });
  }

  async remove(key: string): Promise<void> {
    await this.#change((entries, contents) => {
      entries.delete(key);
      contents.delete(key);
    });
  }

  /** Deletes the database with all that is in it. */
  async delete(): Promise<void> {
    this.#database.close();
    await toPromise(indexedDB.deleteDatabase(NAME));
  }

  #change(change: (entries: IDBObjectStore, contents: IDBObjectStore) => void): Promise<void> {
    const transaction = this.#database.transaction([ENTRIES, CONTENTS], "readwrite");
    change(transaction.objectStore(ENTRIES), transaction.objectStore(CONTENTS));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("the change was aborted"));
    });
  }
}

function toPromise<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the request failed"));
  });
}
