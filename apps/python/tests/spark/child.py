"""A child that answers wrongly in the way that GROUNDRULE_TEST_CHILD names."""

import json
import os
import signal
import sys
import time

import pyarrow as pa

how = os.environ["GROUNDRULE_TEST_CHILD"]
names = ["id", "verdict", "at_least", "check:a", "digest", "evidence", "error_code", "error_message"]
metadata = {
    "groundrule.version": "0.2.0",
    "semantics": "5",
    "ruleset_digest": ("0" if how == "other ruleset" else "b") * 64,
    "editions": json.dumps({"demo:parks": ("0" if how == "other edition" else "a") * 64}),
    "now": "2020-01-01T00:00:00Z" if how == "other now" else sys.argv[sys.argv.index("--now") + 1],
}
if how == "no start":
    sys.exit("no such ruleset")
schema = pa.schema([(name, pa.string()) for name in names], metadata)


def write(content: bytes) -> None:
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


write(schema.serialize().to_pybytes())
for number, batch in enumerate(pa.ipc.open_stream(sys.stdin.buffer)):
    ids = batch.column("id").to_pylist()
    if how == "dies":
        print("out of memory", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "dies later" and number == 1:
        sys.exit(7)
    if how == "hangs":
        time.sleep(60)
    if how == "fewer rows":
        ids = ids[:-1]
    if how == "other ids":
        ids = ids[::-1]
    rows = [dict.fromkeys(names) | {"id": each, "verdict": "COMPLIANT"} for each in ids]
    write(pa.RecordBatch.from_pylist(rows, schema).serialize().to_pybytes())
    if how == "garbage":
        write(b"debug: hello\n" * 100)
