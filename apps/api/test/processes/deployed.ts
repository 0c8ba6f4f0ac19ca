import { afterAll, beforeAll } from "vitest";
import { withTemporaryFolder } from "../temporary-folder.ts";
import {
  createCommandServer,
  createDeployment,
  type Deployment,
  type ServedByCommand,
} from "./serve-target.ts";

/** The service that the tests of one file start. */
export interface Deployed {
  readonly deployment: Deployment;
  /** A new customer of a store, with that quota. */
  targets(url: string, quota: number): Promise<ServedByCommand>;
}

/** Builds a deployment for the tests of a file. */
export function deployForTests(): Deployed {
  const over = Promise.withResolvers<void>();
  let ended: Promise<void>;
  let deployment: Deployment;
  beforeAll(async () => {
    const ready = Promise.withResolvers<void>();
    ended = withTemporaryFolder(async (dir) => {
      deployment = await createDeployment(dir);
      ready.resolve();
      await over.promise;
    });
    await Promise.race([ready.promise, ended]);
  });
  afterAll(() => {
    over.resolve();
    return ended;
  });
  return {
    get deployment() {
      return deployment;
    },
    targets: (url, quota) => createCommandServer(deployment)(url, quota),
  };
}
