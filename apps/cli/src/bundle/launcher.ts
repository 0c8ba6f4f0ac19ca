import { NEWER_NODE, OLDEST_NODE, OLDEST_NODE_TEXT } from "../node-version.ts";

/**
 * The program `bin/groundrule` of a bundle, for any POSIX shell: it finds the bundle from its own path, wherever that
 * is and through any links.
 */
export const LAUNCHER: string = `#!/bin/sh
# Runs the groundrule command of this bundle, on its data and by its ruleset unless options name others.
set -eu
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
bundle=$(CDPATH= cd "$(dirname "$self")/.." && pwd -P)
if [ -f "$bundle/node" ]; then
  node=$bundle/node
elif node=$(command -v node); then
  "$node" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > ${OLDEST_NODE.major} || (a == ${OLDEST_NODE.major} && b >= ${OLDEST_NODE.minor}) ? 0 : 1)' || {
    echo "groundrule: found $("$node" --version) at $node, expected Node ${OLDEST_NODE_TEXT} or newer: ${NEWER_NODE}" >&2
    exit 4
  }
else
  echo "groundrule: found no node on the path, and this bundle has none of its own; expected Node ${OLDEST_NODE_TEXT} or newer: ${NEWER_NODE}" >&2
  exit 4
fi
GROUNDRULE_DATA=$bundle/data
GROUNDRULE_RULESET=$bundle/ruleset.json
export GROUNDRULE_DATA GROUNDRULE_RULESET
exec "$node" "$bundle/program/main.js" "$@"
`;
