"""Asks the service at the address and with the key given, by the client that openapi-python-client makes."""

import sys

from groundrule_client import AuthenticatedClient
from groundrule_client.api.metering import decisions
from groundrule_client.api.verdicts import evaluate
from groundrule_client.models import (
    DecisionsResponse,
    EvaluateInput,
    EvaluateProblem422,
    EvaluateRequest,
    EvaluateResponse,
    Polygon,
    RoleScheme,
    RulesetAreaSet,
    RulesetCheckOfOne,
    RulesetCheckOfOneOpType0,
    RulesetCheckOfOneOutcome,
    RulesetMeasureType0,
    RulesetRegisterSet,
    RulesetSets,
)
from groundrule_client.models import GroundruleRuleset as Ruleset
from groundrule_client.types import Unset

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)

PLOT = [
    [-59.5983914, -10.5794828],
    [-59.5806128, -10.546897],
    [-59.6151191, -10.5288302],
    [-59.631538, -10.5620049],
    [-59.5983914, -10.5794828],
]
plot = Polygon(type_="Polygon", coordinates=[PLOT])
bow_tie = Polygon(type_="Polygon", coordinates=[[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]])
sets = RulesetSets()
sets["protected"] = RulesetAreaSet(sources=["demo:protected"])
sets["listed"] = RulesetRegisterSet(registers=["demo:sanctions"])
share = RulesetCheckOfOne(
    id="share",
    set_="protected",
    measure=RulesetMeasureType0.OVERLAP_RATIO,
    op=RulesetCheckOfOneOpType0.VALUE_0,
    value=0.001,
    outcome=RulesetCheckOfOneOutcome.NON_COMPLIANT,
)
listed_owner = RulesetCheckOfOne(id="listed", set_="listed", outcome=RulesetCheckOfOneOutcome.NON_COMPLIANT)
ruleset = Ruleset(sets=sets, checks=[share, listed_owner])
owner = RoleScheme(type_="br:cnpj", value="78.018.459/0001-00")

answer = evaluate.sync(
    client=client, body=EvaluateRequest(input_=EvaluateInput(geometry=plot, scheme=owner), ruleset=ruleset)
)
assert isinstance(answer, EvaluateResponse), answer
verdict = answer.data

listed = decisions.sync(client=client, page_size=1)
assert isinstance(listed, DecisionsResponse), listed
digests = listed.data.items[0].digests
assert not isinstance(digests.editions, Unset)

problem = evaluate.sync(client=client, body=EvaluateRequest(input_=EvaluateInput(geometry=bow_tie), ruleset=ruleset))
assert isinstance(problem, EvaluateProblem422), problem
fault = problem.errors[0]

outcomes = ", ".join(f"{check.id} {check.outcome} {check.comparisons[0].measure}" for check in verdict.checks)
print(verdict.verdict, outcomes, digests.verdict, digests.ruleset)
print(digests.editions["demo:parks"])
print(problem.code, fault.code, fault.ring)
