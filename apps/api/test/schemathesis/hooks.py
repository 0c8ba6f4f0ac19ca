"""Facts about the service that schemathesis needs besides its description."""

import json
import random

import jsonschema_rs
import schemathesis

# A schema tells the form of a request. These refusals are about what it means: rings that cross
# themselves, names of sources, parts of a ruleset that do not fit each other.
BEYOND_A_SCHEMA = {
    "CRS_MISMATCH",
    "CRS_UNKNOWN",
    "GEOMETRY_INVALID",
    "GEOMETRY_TOO_COMPLEX",
    "IDEMPOTENCY_KEY_CONFLICT",
    "INPUT_INCOMPLETE",
    "NOT_FOUND",
    "RESULT_TOO_LARGE",
    "RULESET_ALREADY_EXISTS",
    "RULESET_INVALID",
    "RULESET_NOT_FOUND",
    "SCHEME_UNSUPPORTED",
    "SOURCE_UNKNOWN",
}

# Faults of VALIDATION_FAILED where each member is of its form: between two of them, or of a name that is not known.
BETWEEN_MEMBERS = {
    "AREA_NOT_OF_POINTS",
    "CRS_CONTRADICTED",
    "DECISION_UNKNOWN",
    "FACT_UNKNOWN",
    "FACT_UNSUITED",
    "PAGE_TOO_DEEP",
    "PROPERTY_NOT_AROUND_PLOT",
    "PROPERTY_TOO_LARGE",
    "PROPERTY_WITHOUT_PLOT",
}

# Between a parameter and the media type that is asked for, and between two parameters of which one replaces the other.
BETWEEN_PARAMETERS = {("?language", "UNEXPECTED_PARAMETER"), ("?page", "UNEXPECTED_PARAMETER")}

# Where the inside of these is not of its form, the answer says so and is no refusal.
REPORTED_IN_ANSWER = {"/v1/validate": ("geometry", "ruleset", "plots"), "/v1/jobs": ("plots",)}

NUMBER_MAX = 2**53 - 1


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Lets a request of the described form be refused for what it means, and for nothing else."""
    if type(failure).__name__ == "AcceptedNegativeData":
        return not is_reported_in_answer(case)
    if type(failure).__name__ != "RejectedPositiveData":
        return True
    problem = response.json()
    faults = problem["errors"]
    if problem["code"] == "VALIDATION_FAILED" and faults and all(map(is_between_members, faults)):
        return False
    return problem["code"] not in BEYOND_A_SCHEMA


def is_between_members(fault):
    return fault["code"] in BETWEEN_MEMBERS or (fault["pointer"], fault["code"]) in BETWEEN_PARAMETERS


def is_reported_in_answer(case):
    """True for a body whose only faults are in parts that the answer reports: with sound parts it is valid."""
    parts = REPORTED_IN_ANSWER.get(case.operation.path, ())
    if not isinstance(case.body, dict):
        return False
    sound = {name: sound_part(name, case.body[name]) for name in parts if is_looked_into(name, case.body.get(name))}
    return sound != {} and body_validator(case).is_valid({**case.body, **sound})


def body_validator(case):
    document = case.operation.schema.raw_schema
    body = document["paths"][case.operation.path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return jsonschema_rs.Draft202012Validator({**body, "components": document["components"]})


def is_looked_into(name, part):
    if name != "plots":
        return isinstance(part, dict)
    return isinstance(part, dict) and part.get("type") == "FeatureCollection" and isinstance(part.get("features"), list)


def sound_part(name, part):
    if name == "geometry":
        return plot(random.Random(0))
    if name == "plots":
        feature = {"type": "Feature", "properties": {}, "geometry": plot(random.Random(0))}
        return {**part, "features": [feature for _ in part["features"]]}
    sets = {"parks": {"sources": ["demo:parks"]}}
    return {"sets": sets, "checks": [{"id": "parks", "set": "parks", "outcome": "WARNING"}]}


@schemathesis.hook
def map_case(context, case):
    """Makes bodies of the described form I-JSON, and now and then gives them a plot that has an area."""
    if case.meta is None or not case.meta.generation.mode.is_positive or not isinstance(case.body, dict):
        return case
    case.body = bounded(case.body)
    order_distances(case.body.get("input"))
    seed = random.Random(json.dumps(case.body, sort_keys=True, default=str))
    holder = case.body.get("input") if "input" in case.body else case.body
    if isinstance(holder, dict) and holder.get("geometry") is not None and seed.random() < 0.7:
        holder["geometry"] = plot(seed)
        if "crs" in holder:
            holder["crs"] = "OGC:CRS84"
    return case


def order_distances(sent):
    if isinstance(sent, dict) and sent.get("min_distance_m") is not None:
        ends = sorted([sent["min_distance_m"], sent["max_distance_m"]])
        sent["min_distance_m"], sent["max_distance_m"] = ends


def bounded(value):
    if isinstance(value, dict):
        return {name: bounded(member) for name, member in value.items()}
    if isinstance(value, list):
        return [bounded(member) for member in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) > NUMBER_MAX:
        return NUMBER_MAX if value > 0 else -NUMBER_MAX
    return value


def plot(seed):
    """A rectangle where the demo has areas."""
    west, south = seed.uniform(-62, -52), seed.uniform(-13, -3)
    east, north = west + seed.uniform(0.01, 0.5), south + seed.uniform(0.01, 0.5)
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "Polygon", "coordinates": [ring]}
