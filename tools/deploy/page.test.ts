import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseFences } from "../snippets/fences.ts";
import { listManifestFiles, parseManifests, REPOSITORY } from "./manifests.ts";
import { checkPageCommands } from "./typed-page.ts";

const PAGE = "docs/guides/kubernetes.md";
const text = (path: string) => readFileSync(join(REPOSITORY, path), "utf8");
const script = parseFences(PAGE, text(PAGE)).find(({ language }) => language === "sh")!.text;

/** The page and the manifests, with one text replaced wherever it is. */
async function faultsWith(before: string | RegExp = "", after = ""): Promise<string> {
  const changed = (content: string) => (before === "" ? content : content.replace(before, after));
  const manifests = listManifestFiles().flatMap((path) => parseManifests(path, changed(text(path))));
  return (await checkPageCommands(changed(script), manifests)).join("\n");
}

it("is typed from the first line to the last, with no file, volume or Pod that is not there yet", async () => {
  expect(script.match(/^kubectl .*apply /gm)).toHaveLength(4);
  expect(await faultsWith()).toBe("");
});

const FIRST = "kubectl apply -f deploy/kubernetes/settings.yaml\n";
const JOB = "kubectl -n groundrule create job first-sources --from=cronjob/groundrule-sources\n";
it.each([
  ["the namespace", FIRST, "", "there is no namespace groundrule yet"],
  ["the password's file", /^cat .*\n/m, "", "no line made the file store-password"],
  [
    "the password in the Secret",
    " --from-file=store-password",
    "",
    "the Secret groundrule has no such member",
  ],
  ["the Secret", /^kubectl .*create secret.*\n/m, "", "ContainerCreating: there is no Secret groundrule yet"],
  [
    "the ConfigMap",
    "kind: ConfigMap",
    "kind: Config",
    "ContainerCreating: there is no ConfigMap groundrule yet",
  ],
  ["the state", /^kubectl .*first-organization.yaml\n/m, "", "no Job has made the state yet"],
  [
    "the claim",
    "kind: PersistentVolumeClaim",
    "kind: Claim",
    "there is no PersistentVolumeClaim groundrule-data yet",
  ],
  ["the first sources", JOB, "", "there is no Job first-sources yet"],
  ["the end of the first sources", /--follow(?=.*first-sources)/, "", "its Pods serve an empty volume"],
  ["names of sources", /^ +- jrc:gfc2020\n +- gfc:loss_year\n/m, "", "it names no source"],
  [
    "a source that comes with the image",
    "jrc:gfc2020",
    "jrc:gfc",
    "no manifest of jrc:gfc comes with the image",
  ],
  ["a source that is published", "jrc:gfc2020", "br:funai", "the manifest of br:funai has no URL"],
  ["the roll-out", /^kubectl .*rollout.*\n/m, "", "no Pod of groundrule is known to run yet"],
  ["an option", "--mode live", "--mood live", "unknown option --mood"],
])("reports a page without %s", async (_what, before, after, fault) => {
  const content = [script, ...listManifestFiles().map(text)].join("\n");
  expect(content.replace(before, after)).not.toBe(content);
  expect(await faultsWith(before, after)).toContain(fault);
});
